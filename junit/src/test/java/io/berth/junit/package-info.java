/// Tests of clusters for tests.
@NullMarked
package io.berth.junit;

import org.jspecify.annotations.NullMarked;
