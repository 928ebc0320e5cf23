package io.berth.controllers.apps;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.NodeSelectors;
import io.berth.controllers.runtime.PodControl;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.Taints;
import java.util.ArrayList;
import java.util.List;

/// The pods of a DaemonSet: what they are made from, and which nodes they belong on.
///
/// Each is pinned to its node by affinity, and the scheduler binds it.
final class DaemonPods {

  private static final String GENERATION = "deprecated.daemonset.template.generation";

  private final PodControl podControl;
  private final Tree set;
  private final Tree template;

  DaemonPods(PodControl podControl, Tree set, String hash) {
    this.podControl = podControl;
    this.set = set;
    this.template = template(set, hash);
  }

  /// Whether the node shall have a pod.
  boolean shouldRun(Tree node) {
    return fits(node)
        && !Taints.repel(
            node,
            template.trees("spec", "tolerations"),
            taint -> !taint.textOrEmpty("effect").equals("PreferNoSchedule"));
  }

  /// Whether a pod that is there may go on.
  boolean shouldStay(Tree node) {
    return fits(node)
        && !Taints.repel(node, template.trees("spec", "tolerations"), Taints::isNoExecute);
  }

  private boolean fits(Tree node) {
    var spec = set.treeOrEmpty("spec", "template", "spec");
    var named = spec.textOrEmpty("nodeName");
    return (named.isEmpty() || named.equals(Meta.name(node))) && NodeSelectors.allow(spec, node);
  }

  /// A new pod for the node.
  Tree pod(String node) {
    var pod = podControl.fromTemplate(set, template);
    var required =
        Tree.of(
            "nodeSelectorTerms",
            List.of(
                Tree.of(
                    "matchFields",
                    List.of(
                        Tree.of("key", "metadata.name", "operator", "In")
                            .put("values", List.of(node))))));
    pod.child("spec")
        .child("affinity")
        .child("nodeAffinity")
        .put("requiredDuringSchedulingIgnoredDuringExecution", required);
    return pod;
  }

  /// The template as daemon pods get it: the revision's labels, and tolerations for what must not
  /// keep a daemon away.
  private static Tree template(Tree set, String hash) {
    var template = set.treeOrEmpty("spec", "template").copy();
    var labels = template.child("metadata").child("labels");
    labels.put(Revisions.HASH, hash);
    var generation = Meta.annotation(set, GENERATION);
    if (generation != null) {
      labels.put("pod-template-generation", generation);
    }
    var spec = template.child("spec");
    var tolerations = new ArrayList<>(spec.trees("tolerations"));
    tolerate(tolerations, Taints.NOT_READY, "NoExecute");
    tolerate(tolerations, Taints.UNREACHABLE, "NoExecute");
    tolerate(tolerations, Taints.DISK_PRESSURE, "NoSchedule");
    tolerate(tolerations, Taints.MEMORY_PRESSURE, "NoSchedule");
    tolerate(tolerations, Taints.PID_PRESSURE, "NoSchedule");
    tolerate(tolerations, Taints.UNSCHEDULABLE, "NoSchedule");
    if (spec.flag("hostNetwork")) {
      tolerate(tolerations, Taints.NETWORK_UNAVAILABLE, "NoSchedule");
    }
    spec.put("tolerations", tolerations);
    return template;
  }

  private static void tolerate(List<Tree> tolerations, String key, String effect) {
    var wanted = Tree.of("key", key, "operator", "Exists", "effect", effect);
    tolerations.removeIf(
        t -> t.textOrEmpty("key").equals(key) && t.textOrEmpty("effect").equals(effect));
    tolerations.add(wanted);
  }

  /// The node a pod is bound to or pinned to.
  static String target(Tree pod) {
    var node = Pods.node(pod);
    if (!node.isEmpty()) {
      return node;
    }
    var terms =
        pod.trees(
            "spec",
            "affinity",
            "nodeAffinity",
            "requiredDuringSchedulingIgnoredDuringExecution",
            "nodeSelectorTerms");
    for (var term : terms) {
      for (var field : term.trees("matchFields")) {
        if (field.textOrEmpty("key").equals("metadata.name") && !field.list("values").isEmpty()) {
          return String.valueOf(field.list("values").getFirst());
        }
      }
    }
    return "";
  }
}
