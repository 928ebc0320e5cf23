/// Runs placement tests, each on a cluster of its own, and says how they went.
///
/// Start at [TestRun], one test from top to bottom; [TestRuns] runs many.
@NullMarked
package io.berth.placement.run;

import org.jspecify.annotations.NullMarked;
