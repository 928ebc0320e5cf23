/// One table of Kubernetes types, and everything that follows from it: strict decoding, canonical
/// form, protobuf, patches, server-side apply, OpenAPI and discovery.
///
/// Start at [Types], the table, and at [Decoder], which turns a request body into the object a
/// Kubernetes API server would store. Everything here is a pure function over trees.
@NullMarked
package io.berth.schema;

import org.jspecify.annotations.NullMarked;
