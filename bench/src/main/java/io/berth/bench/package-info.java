/// How fast the engine decides: [EngineBenchmark], run by `bench/engine`. Never shipped.
@NullMarked
package io.berth.bench;

import org.jspecify.annotations.NullMarked;
