/// What requests take while they last, by who sent them: memory, places in lanes, and turns on the
/// processor.
///
/// Start at [Budget], which says who gets more when little is left, [Processor], which says who
/// comes next, and [Visitor], through which a request takes its part.
@NullMarked
package io.berth.server.budget;

import org.jspecify.annotations.NullMarked;
