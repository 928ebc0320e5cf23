package io.berth.server.registry;

import io.berth.api.Tree;

/// Who owns which field: keeps `metadata.managedFields` true as objects are written.
final class ManagedFields {

  void created(Served served, Tree object, Context context) {
    object.child("metadata").remove("managedFields");
  }
}
