package io.berth.conformance.random;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Nodes with odd labels, amounts, taints, features and images.
final class RareNodes {

  private static final String FULL_RESTART = "RestartAllContainersOnContainerExits";
  private static final String HOST_USERS = "UserNamespacesHostNetworkSupport";

  private final Chance chance;
  private final boolean odd;
  private final boolean sized;
  private final boolean pictured;

  RareNodes(Chance chance, boolean odd, boolean sized, boolean pictured) {
    this.chance = chance;
    this.odd = odd;
    this.sized = sized;
    this.pictured = pictured;
  }

  /// A node of the first hour also gets images: kube-scheduler remembers later ones strangely.
  void node(Tree node, boolean first) {
    var labels = node.child("metadata").child("labels");
    if (chance.percent(8)) {
      labels.put(chance.one(RandomSelectors.ZONE, "rack", "disk"), "");
    }
    if (chance.percent(15)) {
      labels.put(RareTerms.OLD_ZONE, chance.one("a", "b"));
    }
    if (odd && chance.percent(60)) {
      labels.put("cores", chance.one(RareTerms.NUMBERS));
    }
    if (odd && chance.percent(20)) {
      labels.put("generation", chance.one("1", "2", ""));
    }
    if (chance.percent(35)) {
      node.child("status").put("declaredFeatures", features());
    }
    if (sized) {
      allocatable(node.child("status").child("allocatable"));
    }
    if (chance.percent(10)) {
      node.child("spec").put("taints", taints());
    }
    if (pictured && first && chance.percent(80)) {
      node.child("status").put("images", images());
    }
  }

  private List<String> features() {
    return chance.some(1, 2, FULL_RESTART, "Unheard", HOST_USERS).stream().sorted().toList();
  }

  private void allocatable(Tree allocatable) {
    if (chance.percent(40)) {
      allocatable.put("cpu", chance.one("1500m", "0.5", "4e0", "1900m", "12", "0", "7001m"));
    }
    if (chance.percent(40)) {
      allocatable.put(
          "memory", chance.one("1000000k", "2.5Gi", "8589934593", "1e10", "1Ti", "0", "5E"));
    }
    if (chance.percent(15)) {
      allocatable.remove(chance.one("cpu", "memory", "pods", "ephemeral-storage"));
    }
    if (chance.percent(25)) {
      allocatable.put("hugepages-1Gi", chance.one("0", "2Gi", "4Gi"));
    }
    if (chance.percent(25)) {
      allocatable.put("example.com/foo", chance.one("0", "1", "5", "2500m", "3k"));
    }
    if (chance.percent(25)) {
      allocatable.put("example.com/bar", chance.one("1", "5", "1000"));
    }
    if (chance.percent(15)) {
      allocatable.put("ephemeral-storage", chance.one("10G", "1500Mi", "0"));
    }
  }

  private List<Tree> taints() {
    var taints = new ArrayList<Tree>();
    for (var effect : chance.some(1, 3, "NoSchedule", "PreferNoSchedule", "NoExecute")) {
      var taint =
          Tree.of(
              "key",
              chance.one("dedicated", "spot", "node.kubernetes.io/unschedulable"),
              "effect",
              effect);
      if (chance.percent(50)) {
        taint.put("value", chance.one("x", "y", "", "5"));
      }
      taints.add(taint);
    }
    return taints;
  }

  private List<Tree> images() {
    var images = new ArrayList<Tree>();
    for (var name : chance.some(1, 4, "img-a", "img-b", "img-c", "reg:5000/img-d", "reg/img-e")) {
      long size = chance.one(10L, 24_117_248L, 90_000_001L, 777_777_777L, 5_000_000_000L);
      var names = new ArrayList<String>(List.of(name + ":latest"));
      if (chance.percent(50)) {
        names.add(name + "@sha256:" + "0".repeat(4));
      }
      if (chance.percent(30)) {
        names.add(name + ":1");
      }
      images.add(Tree.of("names", names, "sizeBytes", size));
    }
    return images;
  }
}
