/// How objects look on the wire: whole, as table rows, or only their metadata.
///
/// Start at [View].
@NullMarked
package io.berth.server.view;

import org.jspecify.annotations.NullMarked;
