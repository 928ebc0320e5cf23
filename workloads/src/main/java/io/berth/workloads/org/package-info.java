/// Departments, projects, node pools, nodes, topologies and the cluster itself.
///
/// Start at [Projects] and [NodePools]; the `…Routes` classes are the operations on them.
@NullMarked
package io.berth.workloads.org;

import org.jspecify.annotations.NullMarked;
