/// Answers beside a scheduler at work: an engine of its own that hears what the scheduler hears.
///
/// Start at [LiveCluster]. The scheduler is told of no question: it adds what happens to a list
/// while somebody asks, and that is all it does.
@NullMarked
package io.berth.answers.live;

import org.jspecify.annotations.NullMarked;
