package io.berth.controllers.runtime;

import io.berth.api.NodeSelectorTerm;
import io.berth.api.Tree;

/// Whether a node is one that a pod's node selector and required node affinity allow.
public final class NodeSelectors {

  private NodeSelectors() {}

  /// Reads `nodeSelector` and `affinity.nodeAffinity.required…` of a pod spec.
  public static boolean allow(Tree podSpec, Tree node) {
    var labels = Meta.labels(node);
    for (var wanted : podSpec.texts("nodeSelector").entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    var required =
        podSpec.tree("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
    return required == null || matches(required, node);
  }

  /// The terms are alternatives; an empty term matches nothing.
  public static boolean matches(Tree nodeSelector, Tree node) {
    var labels = Meta.labels(node);
    for (var term : nodeSelector.trees("nodeSelectorTerms")) {
      if (NodeSelectorTerm.of(term).matches(labels, Meta.name(node))) {
        return true;
      }
    }
    return false;
  }
}
