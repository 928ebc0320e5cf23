/// What is particular to each kind: defaults, validation, what an update may change, table cells,
/// selectable fields, subresources.
///
/// Start at [Kinds], which lists every kind in one line with its traits, and at [Strategy], which
/// says what a kind decides. [Lifecycle] calls a strategy in the order Kubernetes does; nothing
/// here does I/O. Rules are sentences about a [io.berth.kinds.meta.Cursor]; each class names the
/// part of Kubernetes that it mirrors, whose order of objections it keeps.
@NullMarked
package io.berth.kinds;

import org.jspecify.annotations.NullMarked;
