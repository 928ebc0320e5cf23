/// Tests of the server as a whole, over the wire.
@NullMarked
package io.berth.server;

import org.jspecify.annotations.NullMarked;
