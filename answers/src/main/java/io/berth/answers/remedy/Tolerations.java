package io.berth.answers.remedy;

import io.berth.api.Node;
import io.berth.api.Taint;
import io.berth.api.Tree;
import java.util.LinkedHashSet;
import java.util.List;

/// The pod may tolerate one taint more: of a node, or the one that goes with being cordoned.
final class Tolerations {

  static final String BY_KUBERNETES = "node.kubernetes.io/";
  static final Taint CORDONED = new Taint(BY_KUBERNETES + "unschedulable", "", Taint.NO_SCHEDULE);

  /// Clusters have a handful; more would be tried to no end.
  private static final int MAX_TAINTS = 50;

  private Tolerations() {}

  static List<Family> find(Question question) {
    var taints = new LinkedHashSet<Taint>();
    for (var node : question.closestNodes()) {
      if (taints.size() < MAX_TAINTS) {
        taints.addAll(untolerated(question, node));
        if (node.unschedulable() && !question.pod().spec().tolerates(CORDONED)) {
          taints.add(CORDONED);
        }
      }
    }
    return taints.stream().map(taint -> Family.of(List.of(new Tolerate(taint)))).toList();
  }

  /// Taints of the node that keep the pod off it.
  static List<Taint> untolerated(Question question, Node node) {
    return node.taints().stream()
        .filter(taint -> taint.repels() && !question.pod().spec().tolerates(taint))
        .toList();
  }

  static String shown(Taint taint) {
    return taint.key()
        + (taint.value().isEmpty() ? "" : "=" + taint.value())
        + ":"
        + taint.effect();
  }

  /// The pod tolerates a taint.
  record Tolerate(Taint taint) implements Remedy.OfPod {

    @Override
    public String what() {
      return "tolerate " + shown(taint);
    }

    // Kubernetes taints nodes that are not well.
    @Override
    public int loss() {
      return taint.key().startsWith(BY_KUBERNETES) ? 2 : 0;
    }

    @Override
    public boolean edit(Tree spec) {
      var toleration = Tree.of("key", taint.key());
      if (taint.value().isEmpty()) {
        toleration.put("operator", "Exists");
      } else {
        toleration.put("operator", "Equal").put("value", taint.value());
      }
      spec.childList("tolerations").add(toleration.put("effect", taint.effect()));
      return true;
    }
  }
}
