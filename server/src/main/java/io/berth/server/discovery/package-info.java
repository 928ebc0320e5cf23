/// What is served where, for clients that ask before they act.
///
/// Start at [Discovery]; [Advertised] holds the facts about one resource.
@NullMarked
package io.berth.server.discovery;

import org.jspecify.annotations.NullMarked;
