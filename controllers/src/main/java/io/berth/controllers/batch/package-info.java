/// Jobs and CronJobs: pods that run to an end, each counted exactly once.
///
/// Start at [Jobs] and [JobStep], one look at a Job; [JobTally] is how counting survives a crash.
@NullMarked
package io.berth.controllers.batch;

import org.jspecify.annotations.NullMarked;
