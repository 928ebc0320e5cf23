/// The kinds of `flowcontrol.apiserver.k8s.io`: how requests are sorted and how many of a sort run.
/// Start at [FlowSchemaStrategy].
@NullMarked
package io.berth.kinds.flowcontrol;

import org.jspecify.annotations.NullMarked;
