/// Decisions become API calls: pods wait in a queue, the loop asks the engine, binds and reports.
///
/// Start at [Scheduler]: one thread owns engine and queue. [Feed] turns watches into steps for that
/// thread, [SchedulingQueue] knows who waits for what, [Hints] say which event can help whom,
/// [Binder], [Preemptor] and [Reporter] with its [ReportQueue] talk to the API without making the
/// loop wait. Who wants to listen or to have a say implements [SchedulerMetrics], [Journal] or
/// [Extender].
@NullMarked
package io.berth.scheduler;

import org.jspecify.annotations.NullMarked;
