/// Tests of who gets in.
@NullMarked
package io.berth.server.identity;

import org.jspecify.annotations.NullMarked;
