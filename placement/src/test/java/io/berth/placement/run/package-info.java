/// Tests of placement tests: how they run.
@NullMarked
package io.berth.placement.run;

import org.jspecify.annotations.NullMarked;
