/// Tests of admission plugins, against answers recorded from a real API server.
@NullMarked
package io.berth.admission;

import org.jspecify.annotations.NullMarked;
