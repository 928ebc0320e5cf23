package io.berth.scheduler;

import io.berth.api.Node;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether a node satisfies a pod's node selector and required node affinity.
final class NodeMatch {

  private NodeMatch() {}

  static boolean matches(Pod pod, Node node) {
    var spec = pod.spec();
    return node.labels().entrySet().containsAll(spec.nodeSelector().entrySet())
        && matches(spec.nodeAffinity().required(), node);
  }

  private static boolean matches(@Nullable List<NodeSelectorTerm> alternatives, Node node) {
    if (alternatives == null) {
      return true;
    }
    for (var term : alternatives) {
      if (term.matches(node.labels(), node.name())) {
        return true;
      }
    }
    return false;
  }
}
