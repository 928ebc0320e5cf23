package io.berth.kinds.core;

import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.List;

/// All containers of a pod, whatever their part in its life.
final class Containers {

  /// In the order in which Kubernetes visits them.
  static final List<String> LISTS = List.of("initContainers", "containers", "ephemeralContainers");

  private Containers() {}

  /// What is done with each container.
  interface Visitor {
    void visit(Tree container, FieldPath path);
  }

  static void visit(Tree spec, FieldPath path, Visitor visitor) {
    for (var list : LISTS) {
      var containers = spec.trees(list);
      for (int i = 0; i < containers.size(); i++) {
        visitor.visit(containers.get(i), path.child(list).index(i));
      }
    }
  }
}
