/// Who may take from whom: which gangs start now, which make room for them, and why the others
/// wait.
///
/// Start at [Arbiter]: it is handed an engine that knows the nodes and the running pods, and a
/// [Situation] (departments, projects, node pools, gangs); it answers with an [Outcome] of
/// placements, evictions and reasons. Values only: no I/O, no clock, no threads. Acting on an
/// outcome is the caller's part.
@NullMarked
package io.berth.quota;

import org.jspecify.annotations.NullMarked;
