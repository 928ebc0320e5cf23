/// What shall hold of a cluster: one class per check.
///
/// Start at [Check]; [CheckOutlines] lists them all, [Situation] is what they look at.
@NullMarked
package io.berth.placement.check;

import org.jspecify.annotations.NullMarked;
