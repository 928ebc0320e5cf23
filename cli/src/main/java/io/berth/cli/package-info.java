/// The `berth` command: parses a command line into a command, and runs it.
@NullMarked
package io.berth.cli;

import org.jspecify.annotations.NullMarked;
