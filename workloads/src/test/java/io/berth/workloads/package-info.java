/// The workload API as clients see it, on a cluster in memory.
///
/// Start at [Api], which every test talks to.
@NullMarked
package io.berth.workloads;

import org.jspecify.annotations.NullMarked;
