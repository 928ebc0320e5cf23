/// Tests of priority classes, pod groups and workloads.
@NullMarked
package io.berth.kinds.scheduling;

import org.jspecify.annotations.NullMarked;
