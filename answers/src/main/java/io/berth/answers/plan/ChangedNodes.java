package io.berth.answers.plan;

import io.berth.api.Node;
import io.berth.api.Taint;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Nodes as they are after a step: closed, lost, with other labels and taints.
final class ChangedNodes {

  static final String UNREACHABLE = "node.kubernetes.io/unreachable";
  private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

  private ChangedNodes() {}

  static Tree cordoned(Tree node, boolean closed) {
    var changed = node.copy();
    var spec = changed.child("spec");
    if (closed) {
      spec.put("unschedulable", true);
    } else {
      spec.remove("unschedulable");
    }
    var taints = without(node, UNSCHEDULABLE, Taint.NO_SCHEDULE);
    if (closed) {
      taints.add(Tree.of("key", UNSCHEDULABLE, "effect", Taint.NO_SCHEDULE));
    }
    spec.put("taints", taints);
    return changed;
  }

  /// A node that is no longer heard of. `evicting` it is once it is given up.
  static Tree lost(Tree node, boolean evicting) {
    var changed = node.copy();
    var taints = without(node, UNREACHABLE, "");
    taints.add(Tree.of("key", UNREACHABLE, "effect", Taint.NO_SCHEDULE));
    if (evicting) {
      taints.add(Tree.of("key", UNREACHABLE, "effect", Taint.NO_EXECUTE));
    }
    changed.child("spec").put("taints", taints);
    var conditions = new ArrayList<Tree>();
    for (var condition : node.trees("status", "conditions")) {
      boolean ready = condition.textOrEmpty("type").equals("Ready");
      conditions.add(ready ? condition.copy().put("status", "Unknown") : condition.copy());
    }
    if (conditions.stream().noneMatch(each -> each.textOrEmpty("type").equals("Ready"))) {
      conditions.add(Tree.of("type", "Ready", "status", "Unknown"));
    }
    changed.child("status").put("conditions", conditions);
    return changed;
  }

  static Tree relabelled(Tree node, PlanStep.Relabel change) {
    var changed = node.copy();
    var labels = changed.child("metadata").child("labels");
    change.set().forEach(labels::put);
    change.remove().forEach(labels::remove);
    return changed;
  }

  static Tree retainted(Tree node, PlanStep.Retaint change) {
    var changed = node.copy();
    for (var name : change.remove()) {
      int colon = name.indexOf(':');
      var key = colon < 0 ? name : name.substring(0, colon);
      var taints = without(changed, key, colon < 0 ? "" : name.substring(colon + 1));
      changed.child("spec").put("taints", taints);
    }
    for (var taint : change.set()) {
      var taints = without(changed, taint.textOrEmpty("key"), taint.textOrEmpty("effect"));
      taints.add(taint.copy());
      changed.child("spec").put("taints", taints);
    }
    return changed;
  }

  /// Whether the node is heard of and open: its domain counts.
  static boolean isReady(Node node) {
    return node.taints().stream()
        .noneMatch(taint ->
            taint.key().equals(UNREACHABLE) || taint.key().equals("node.kubernetes.io/not-ready"));
  }

  private static List<Tree> without(Tree node, String key, String effect) {
    var taints = new ArrayList<Tree>();
    for (var taint : node.trees("spec", "taints")) {
      boolean meant =
          taint.textOrEmpty("key").equals(key)
              && (effect.isEmpty() || taint.textOrEmpty("effect").equals(effect));
      if (!meant) {
        taints.add(taint.copy());
      }
    }
    return taints;
  }
}
