package io.berth.answers.source;

import io.berth.api.ObjectReference;
import io.berth.api.Tree;
import java.util.HashSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Who made an object, from owner to owner. Circles, which nobody should write, end where they
/// began.
final class Ownership {

  private final Function<ObjectReference, @Nullable Manifest> manifests;

  Ownership(Function<ObjectReference, @Nullable Manifest> manifests) {
    this.manifests = manifests;
  }

  /// The last of the controllers above the object; the object itself when it has none. An owner
  /// that is named but was not found is known by name only, and ends the way.
  ObjectReference topOf(ObjectReference start, Tree object) {
    var seen = new HashSet<ObjectReference>();
    var at = start;
    var tree = object;
    while (tree != null && seen.add(at)) {
      var owner = controllerOf(tree, at.namespace());
      if (owner == null) {
        return at;
      }
      at = owner;
      var manifest = manifests.apply(at);
      tree = manifest == null ? null : manifest.tree();
    }
    return at;
  }

  static @Nullable ObjectReference controllerOf(Tree object, String namespace) {
    for (var owner : object.trees("metadata", "ownerReferences")) {
      if (owner.flag("controller")) {
        return new ObjectReference(owner.textOrEmpty("kind"), namespace, owner.textOrEmpty("name"));
      }
    }
    return null;
  }
}
