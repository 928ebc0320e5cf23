/// Tests of what-ifs: steps, capacity, rebalancing.
@NullMarked
package io.berth.answers.plan;

import org.jspecify.annotations.NullMarked;
