/// The kinds of `apps/v1`: controllers of pods that run on.
///
/// Start at [DeploymentStrategy]; [PodTemplates] has what they all demand of their template.
@NullMarked
package io.berth.kinds.apps;

import org.jspecify.annotations.NullMarked;
