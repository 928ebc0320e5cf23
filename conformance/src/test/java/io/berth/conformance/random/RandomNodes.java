package io.berth.conformance.random;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Random nodes. An image has the same size everywhere, and a node keeps its images for life.
final class RandomNodes {

  private final Chance chance;
  private final RandomSelectors selectors;
  private final Theme theme;
  private boolean withoutImages;

  RandomNodes(Chance chance, RandomSelectors selectors, Theme theme) {
    this.chance = chance;
    this.selectors = selectors;
    this.theme = theme;
  }

  Tree node(String name) {
    var node =
        Tree.of(
            "metadata", Tree.of("name", name, "labels", selectors.nodeLabels(name)),
            "status", Tree.of("allocatable", allocatable()));
    taints(node);
    if (theme.images() && !withoutImages && chance.percent(70)) {
      node.child("status").put("images", images());
    }
    return node;
  }

  /// The history begins; `withoutImages` says that nodes that join have none.
  void started(boolean withoutImages) {
    this.withoutImages = withoutImages;
  }

  /// The node with one thing about it changed.
  Tree changed(Tree node) {
    var changed = node.copy();
    switch (chance.between(0, 2)) {
      case 0 ->
          changed
              .child("metadata")
              .put("labels", selectors.nodeLabels(node.textOrEmpty("metadata", "name")));
      case 1 -> changed.child("status").put("allocatable", allocatable());
      default -> taints(changed);
    }
    return changed;
  }

  private Tree allocatable() {
    var allocatable =
        Tree.of(
            "cpu", chance.one("2", "3500m", "8", "16", "32"),
            "memory", chance.one("4Gi", "6G", "16Gi", "64Gi"),
            "pods", theme.crowded() ? chance.one("4", "6", "110") : "110");
    if (chance.percent(40)) {
      allocatable.put("ephemeral-storage", chance.one("10Gi", "20Gi"));
    }
    if (chance.percent(30)) {
      allocatable.put("nvidia.com/gpu", chance.one("1", "4"));
    }
    if (chance.percent(20)) {
      allocatable.put("example.com/foo", chance.one("0", "2", "10"));
    }
    if (chance.percent(15)) {
      allocatable.put("hugepages-2Mi", "64Mi");
    }
    return allocatable;
  }

  private void taints(Tree node) {
    var spec = node.child("spec");
    spec.remove("taints");
    spec.remove("unschedulable");
    if (chance.percent(theme.taints() ? 50 : 5)) {
      var taints = new ArrayList<Tree>();
      for (var key : chance.some(1, 2, "dedicated", "spot")) {
        var taint =
            Tree.of(
                "key", key, "effect", chance.one("NoSchedule", "PreferNoSchedule", "NoExecute"));
        if (chance.percent(60)) {
          taint.put("value", chance.one("x", "y"));
        }
        taints.add(taint);
      }
      spec.put("taints", taints);
    }
    if (chance.percent(theme.taints() ? 12 : 2)) {
      spec.put("unschedulable", true);
    }
  }

  private List<Tree> images() {
    var images = new ArrayList<Tree>();
    for (var name : chance.some(1, 4, "img-a:1", "img-b:2", "img-c:latest", "img-d:1")) {
      images.add(
          Tree.of(
              "names",
              List.of(name),
              "sizeBytes",
              switch (name) {
                case "img-a:1" -> 20_971_520L;
                case "img-b:2" -> 262_144_000L;
                case "img-c:latest" -> 629_145_600L;
                default -> 1_258_291_200L;
              }));
    }
    return images;
  }
}
