/// Tests of the port over the embedded server.
@NullMarked
package io.berth.cluster.embedded;

import org.jspecify.annotations.NullMarked;
