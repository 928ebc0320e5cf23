package io.berth.conformance.random;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Rarely seen things, mixed into what the other generators make: odd numbers and quantities,
/// several constraints on one key, empty label values, features, images with many names. What kind
/// of them a case has is drawn once.
///
/// They have their own check against the real scheduler, because the second implementation of the
/// tests does not know them all.
final class Rarities {

  private final Chance chance;
  private final RareNodes nodes;
  private final RareTerms rareTerms;
  private final RareResources resources;
  private final RareObjects objects;
  private final RareConfigurations configurations;
  private final boolean odd;
  private final boolean sized;
  private final boolean pictured;
  private final boolean spread;
  private final boolean terms;
  private boolean unstarted = true;

  Rarities(Chance chance, RandomSelectors selectors) {
    this.chance = chance;
    this.odd = chance.percent(45);
    this.sized = chance.percent(45);
    this.pictured = chance.percent(20);
    this.spread = chance.percent(40);
    this.terms = chance.percent(40);
    this.nodes = new RareNodes(chance, odd, sized, pictured);
    this.rareTerms = new RareTerms(chance, selectors);
    this.resources = new RareResources(chance);
    this.objects = new RareObjects(chance, rareTerms);
    this.configurations = new RareConfigurations(chance);
  }

  Tree configuration() {
    return configurations.configuration();
  }

  /// A node of the first hour also gets images: kube-scheduler remembers later ones strangely.
  void node(Tree node, boolean first) {
    nodes.node(node, first);
  }

  /// A step in which an owner, a budget or a namespace changes or goes.
  Tree change() {
    return objects.change();
  }

  void pod(Tree pod, boolean running) {
    var metadata = pod.child("metadata");
    var spec = pod.child("spec");
    if (chance.percent(10)) {
      metadata.child("labels").put(chance.one("tier", "team", "app"), chance.one("", "x", "a"));
    }
    var labels = metadata.child("labels");
    if (labels.isEmpty()) {
      metadata.remove("labels");
    }
    if (spread && chance.percent(60)) {
      spec.put("topologySpreadConstraints", rareTerms.constraints(labels));
    }
    if (terms && chance.percent(60)) {
      rareTerms.affinity(spec, labels);
    }
    if (odd && chance.percent(45)) {
      rareTerms.nodeAffinity(spec);
    }
    if (odd && chance.percent(25)) {
      spec.put("tolerations", chance.many(1, 4, this::toleration));
    }
    if (sized && chance.percent(60)) {
      resources.resources(spec);
    }
    if (pictured) {
      pictures(spec);
    }
    if (chance.percent(5)) {
      spec.put("hostNetwork", chance.percent(80)).put("hostUsers", chance.percent(20));
    }
    if (chance.percent(4)) {
      var containers = spec.trees(chance.percent(70) ? "containers" : "initContainers");
      if (!containers.isEmpty()) {
        containers
            .getFirst()
            .put(
                "restartPolicyRules",
                List.of(Tree.of("action", chance.one("Restart", "RestartAllContainers"))));
      }
    }
    if (chance.percent(8)) {
      spec.put("priority", chance.one(2_000_001_000, -2_147_483_648, 1_000_000_000, 0));
    } else if (chance.percent(3)) {
      spec.remove("priority");
    }
    if (chance.percent(8)) {
      metadata.put("ownerReferences", List.of(reference()));
    }
    if (running) {
      running(pod, spec);
    }
  }

  private Tree reference() {
    var kind = chance.one("ReplicaSet", "StatefulSet", "ReplicationController", "Job");
    return Tree.of(
        "apiVersion",
        kind.startsWith("Replication") ? "v1" : chance.one("apps/v1", "apps/v1", "other/v1"),
        "kind",
        kind,
        "name",
        switch (kind) {
          case "ReplicaSet" -> "own-a";
          case "StatefulSet" -> "own-b";
          default -> "own-c";
        },
        "uid",
        "u",
        "controller",
        chance.percent(90));
  }

  private void running(Tree pod, Tree spec) {
    if (unstarted && chance.percent(3)) {
      pod.child("status").remove("startTime");
      unstarted = false;
    }
    if (sized && chance.percent(30)) {
      for (var kind : List.of("container", "initContainer")) {
        var statuses = new ArrayList<Tree>();
        for (var container : spec.trees(kind + "s")) {
          if (chance.percent(75)) {
            statuses.add(resources.resized(container));
          }
        }
        if (!statuses.isEmpty()) {
          pod.child("status").put(kind + "Statuses", statuses);
        }
      }
    }
    if (sized && chance.percent(10)) {
      pod.child("status")
          .childList("conditions")
          .add(
              Tree.of(
                  "type", chance.one("PodResizePending", "PodResizeInProgress"),
                  "status", chance.one("True", "False"),
                  "reason", chance.one("Infeasible", "Deferred", "Error")));
    }
    if (sized && spec.has("resources") && chance.percent(50)) {
      pod.child("status").put("allocatedResources", resources.amounts());
      if (chance.percent(50)) {
        pod.child("status").put("resources", Tree.of("requests", resources.amounts()));
      }
    }
  }

  /// What a kubelet or a user may change about a pod that runs.
  void restated(Tree pod) {
    if (chance.percent(30)) {
      pod.child("metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
    }
    running(pod, pod.child("spec"));
  }

  private Tree toleration() {
    var toleration = new Tree();
    if (chance.percent(80)) {
      toleration.put("key", chance.one("dedicated", "spot", "node.kubernetes.io/unschedulable"));
    }
    if (!toleration.has("key") || chance.percent(35)) {
      toleration.put("operator", "Exists");
    } else {
      if (chance.percent(60)) {
        toleration.put("operator", "Equal");
      }
      if (chance.percent(60)) {
        toleration.put("value", chance.one("x", "y", "", "5"));
      }
    }
    if (chance.percent(50)) {
      toleration.put("effect", chance.one("NoSchedule", "NoExecute", "PreferNoSchedule"));
    }
    if (toleration.textOrEmpty("effect").equals("NoExecute") && chance.percent(50)) {
      toleration.put("tolerationSeconds", 30);
    }
    return toleration;
  }

  private void pictures(Tree spec) {
    for (var kind : List.of("containers", "initContainers")) {
      for (var container : spec.trees(kind)) {
        container.put("image", picture());
      }
    }
    if (chance.percent(30)) {
      spec.childList("volumes")
          .add(Tree.of("name", "art", "image", Tree.of("reference", picture())));
    }
  }

  private String picture() {
    var name = chance.one("img-a", "img-b", "img-c", "reg:5000/img-d", "reg/img-e", "img-none");
    return name + chance.one("", ":latest", ":1", "@sha256:0000");
  }
}
