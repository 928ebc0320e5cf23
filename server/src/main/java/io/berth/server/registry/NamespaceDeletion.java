package io.berth.server.registry;

import io.berth.api.Tree;
import io.berth.store.Entry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A namespace goes last: it is `Terminating` until its content is gone and its own finalizers are.
final class NamespaceDeletion {

  private NamespaceDeletion() {}

  /// The namespace as it stays for now, or `null` when nothing holds it any more.
  static @Nullable Tree mark(Entry current, List<String> finalizers, Instant now) {
    var old = current.object();
    if (old.at("metadata", "deletionTimestamp") == null) {
      var object = old.copy();
      var meta = object.child("metadata");
      meta.put("deletionTimestamp", Metadata.time(now));
      if (!finalizers.isEmpty()) {
        meta.put("finalizers", finalizers);
      }
      object.child("status").put("phase", "Terminating");
      return object;
    }
    return old.list("spec", "finalizers").isEmpty() ? null : old;
  }
}
