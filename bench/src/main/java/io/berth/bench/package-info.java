/// How fast the engine decides: [EngineBenchmark], run by `bench/engine`. [SchedulerBenchmark] and
/// [ApiBenchmark] measure the embedded cluster. Never shipped.
@NullMarked
package io.berth.bench;

import org.jspecify.annotations.NullMarked;
