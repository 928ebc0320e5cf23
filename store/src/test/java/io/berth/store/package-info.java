/// Tests of the store: one contract for both kinds, and crashes for the durable one.
@NullMarked
package io.berth.store;

import org.jspecify.annotations.NullMarked;
