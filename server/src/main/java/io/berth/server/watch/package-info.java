/// Streams of changes, filtered and bounded.
///
/// Start at [WatchStream]. A watcher that does not keep up is dropped; it never holds up a writer.
@NullMarked
package io.berth.server.watch;

import org.jspecify.annotations.NullMarked;
