/// Tests of workload controllers against a Kubernetes API in memory and a clock that is moved.
@NullMarked
package io.berth.controllers.apps;

import org.jspecify.annotations.NullMarked;
