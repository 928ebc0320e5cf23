package io.berth.controllers.apps;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import java.util.HashMap;
import java.util.Map;

/// How many pods each ReplicaSet of a Deployment may have until it has acted on its newest size.
///
/// A ReplicaSet that is made smaller may still be creating pods for the size before, which neither
/// its size nor its status tells. Used by one worker at a time, the one that has the Deployment.
final class SizesInForce {

  private final Map<String, Size> sizes = new HashMap<>();

  /// The set was resized from `before` to what it is now.
  void resized(long before, Tree set) {
    var known = sizes.get(Meta.uid(set));
    var most = Math.max(before, set.number(1, "spec", "replicas"));
    if (known != null && known.generation > observed(set)) {
      most = Math.max(most, known.most);
    }
    sizes.put(Meta.uid(set), new Size(Meta.generation(set), most));
  }

  /// The most pods the set may have now.
  long most(Tree set) {
    var told = Math.max(set.number(1, "spec", "replicas"), set.number(0, "status", "replicas"));
    if (observed(set) >= Meta.generation(set)) {
      sizes.remove(Meta.uid(set));
      return told;
    }
    var known = sizes.get(Meta.uid(set));
    if (known != null) {
      return Math.max(told, known.most);
    }
    // Resized by somebody before us: it was never larger than its Deployment allowed.
    var allowed = ReplicaSetSizes.annotated(set, Rollout.MAX);
    return allowed == null ? told : Math.max(told, allowed);
  }

  private static long observed(Tree set) {
    return set.number(0, "status", "observedGeneration");
  }

  private record Size(long generation, long most) {}
}
