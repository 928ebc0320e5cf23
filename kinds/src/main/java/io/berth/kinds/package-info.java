/// What is particular to each kind: defaults, validation, what an update may change, table cells,
/// selectable fields, subresources.
///
/// Start at [Kinds], which lists every kind in one line, and at [Strategy], which says what a kind
/// decides. [Lifecycle] calls a strategy in the order Kubernetes does; nothing here does I/O.
@NullMarked
package io.berth.kinds;

import org.jspecify.annotations.NullMarked;
