/// Custom resources: definitions are accepted, their kinds served and taken away again.
///
/// Start at [CustomResources].
@NullMarked
package io.berth.server.custom;

import org.jspecify.annotations.NullMarked;
