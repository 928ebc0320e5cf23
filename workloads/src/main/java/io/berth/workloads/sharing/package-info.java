/// Lets workloads start when it is their turn, and takes back what others are entitled to.
///
/// Start at [Admission], one pass from the question to the last write. [Sharing] shows the arbiter
/// of module `quota` the cluster as it is; what it answers is done by [Starts] and [Evictions], and
/// told to users by [Reasons].
@NullMarked
package io.berth.workloads.sharing;

import org.jspecify.annotations.NullMarked;
