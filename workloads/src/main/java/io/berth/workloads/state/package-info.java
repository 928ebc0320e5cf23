/// Where the API keeps what it knows: custom resources of `berth.io`, reached through the cluster
/// port.
///
/// Start at [State], the tables by name; [Objects] is one of them.
@NullMarked
package io.berth.workloads.state;

import org.jspecify.annotations.NullMarked;
