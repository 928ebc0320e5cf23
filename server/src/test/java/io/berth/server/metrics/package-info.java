/// Metrics pages, read back.
@NullMarked
package io.berth.server.metrics;

import org.jspecify.annotations.NullMarked;
