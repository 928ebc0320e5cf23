/// `main()`: reads the configuration, wires everything by hand, starts it.
@NullMarked
package io.berth.app;

import org.jspecify.annotations.NullMarked;
