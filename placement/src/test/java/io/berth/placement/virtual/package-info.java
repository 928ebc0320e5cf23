/// Tests of the cluster in virtual time.
@NullMarked
package io.berth.placement.virtual;

import org.jspecify.annotations.NullMarked;
