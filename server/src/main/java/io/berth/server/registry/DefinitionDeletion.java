package io.berth.server.registry;

import io.berth.api.Tree;
import io.berth.kinds.custom.DefinitionConditions;
import java.time.Instant;

/// A definition goes last: it stays until none of its objects is left.
final class DefinitionDeletion {

  private DefinitionDeletion() {}

  /// The definition as it stays for now.
  static Tree mark(Tree old, Instant now) {
    var definition = old.copy();
    var meta = definition.child("metadata");
    meta.put("deletionTimestamp", Metadata.time(now));
    var finalizers = meta.childList("finalizers");
    if (!finalizers.contains(DefinitionConditions.CLEANUP)) {
      finalizers.add(DefinitionConditions.CLEANUP);
    }
    DefinitionConditions.set(
        definition,
        "Terminating",
        true,
        "InstanceDeletionPending",
        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
        now);
    return definition;
  }
}
