/// Checks kinds against answers of a real API server.
@NullMarked
package io.berth.kinds;

import org.jspecify.annotations.NullMarked;
