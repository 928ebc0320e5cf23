/// Tests of Jobs and CronJobs against a Kubernetes API in memory and a clock that is moved.
@NullMarked
package io.berth.controllers.batch;

import org.jspecify.annotations.NullMarked;
