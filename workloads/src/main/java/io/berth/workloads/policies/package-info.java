/// Policies as they are set, kept and asked for; what they mean is decided in `policy`.
///
/// Start at [Policies], which finds what holds for a project; [PolicyRoutes] are the operations.
@NullMarked
package io.berth.workloads.policies;

import org.jspecify.annotations.NullMarked;
