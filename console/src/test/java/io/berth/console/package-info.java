/// Tests of the console on a server in memory.
@NullMarked
package io.berth.console;

import org.jspecify.annotations.NullMarked;
