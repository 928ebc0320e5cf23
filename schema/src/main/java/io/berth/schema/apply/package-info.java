/// Server-side apply, and who owns which field of an object.
///
/// Start at [FieldManager]: every write goes through its `update` or `apply`, which keep
/// `metadata.managedFields`. Ownership is a [FieldSet]; what a field is (an entry of a map, an
/// element of a list with keys, a value that is owned as a whole) is told by a [Structure], made
/// from the type table by [TypeStructure] or from a custom resource's schema.
@NullMarked
package io.berth.schema.apply;

import org.jspecify.annotations.NullMarked;
