/// Metrics as Prometheus reads them: lines of text, or protobuf messages.
///
/// Start at [Page], what is written on either of them, then [Histogram].
@NullMarked
package io.berth.server.metrics;

import org.jspecify.annotations.NullMarked;
