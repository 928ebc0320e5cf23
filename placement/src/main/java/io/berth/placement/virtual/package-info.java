/// A whole cluster in virtual time: API, controllers, simulated kubelets and scheduler on one
/// thread.
///
/// Start at [VirtualCluster]; [VirtualTime] is its clock and its crew of one.
@NullMarked
package io.berth.placement.virtual;

import org.jspecify.annotations.NullMarked;
