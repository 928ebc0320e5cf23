/// Tests of who may do what, on objects that are made up.
@NullMarked
package io.berth.server.access;

import org.jspecify.annotations.NullMarked;
