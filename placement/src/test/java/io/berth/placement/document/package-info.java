/// Tests of placement tests: how they are read.
@NullMarked
package io.berth.placement.document;

import org.jspecify.annotations.NullMarked;
