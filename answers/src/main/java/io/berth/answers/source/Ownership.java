package io.berth.answers.source;

import io.berth.api.ObjectReference;
import io.berth.api.Tree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Who made an object, from owner to owner. Circles, which nobody should write, end where they
/// began.
///
/// Remembers what it found: pods share their owners.
public final class Ownership {

  private final Function<ObjectReference, Optional<Manifest>> manifests;
  private final Map<ObjectReference, ObjectReference> tops = new HashMap<>();

  private Ownership(Function<ObjectReference, Optional<Manifest>> manifests) {
    this.manifests = manifests;
  }

  public static Ownership of(Survey survey) {
    return new Ownership(survey::find);
  }

  /// The last of the controllers above the pod, or the pod itself.
  public ObjectReference topOf(SurveyedPod each) {
    var pod = each.pod();
    if (each.isOfTemplate()) {
      return topOf(each.source().reference());
    }
    var controller = pod.controller();
    return controller == null
        ? pod.reference()
        : topOf(new ObjectReference(controller.kind(), pod.namespace(), controller.name()));
  }

  private ObjectReference topOf(ObjectReference start) {
    var known = tops.get(start);
    if (known == null) {
      known = find(start);
      tops.put(start, known);
    }
    return known;
  }

  /// The last of the controllers above the object; the object itself when it has none. An owner
  /// that is named but was not found is known by name only, and ends the way.
  private ObjectReference find(ObjectReference start) {
    var seen = new HashSet<ObjectReference>();
    var at = start;
    while (seen.add(at)) {
      var manifest = manifests.apply(at);
      var owner = manifest.isEmpty() ? null : controllerOf(manifest.get().tree(), at.namespace());
      if (owner == null) {
        return at;
      }
      at = owner;
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
