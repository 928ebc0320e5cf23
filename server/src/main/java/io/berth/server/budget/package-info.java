/// What requests hold while they last, by who sent them: memory, and places in lanes.
///
/// Start at [Budget], which says who gets more when little is left, and [Visitor], through which a
/// request takes its part.
@NullMarked
package io.berth.server.budget;

import org.jspecify.annotations.NullMarked;
