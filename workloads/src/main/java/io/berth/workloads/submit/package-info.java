/// From a request to an object, and from an object to its pods.
///
/// Start at [Submission], one submission from top to bottom. [Placement] merges what user, policy,
/// pools and platform want into one affinity; [PodTemplate] writes the pods.
@NullMarked
package io.berth.workloads.submit;

import org.jspecify.annotations.NullMarked;
