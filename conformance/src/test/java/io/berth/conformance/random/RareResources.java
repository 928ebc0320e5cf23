package io.berth.conformance.random;

import io.berth.api.Tree;
import java.util.List;

/// Quantities of unusual size and writing, and who asks for them.
final class RareResources {

  private final Chance chance;

  RareResources(Chance chance) {
    this.chance = chance;
  }

  /// Gives a pod containers of many sizes.
  void resources(Tree spec) {
    spec.put("containers", containers("c", 1, 4));
    if (chance.percent(45)) {
      spec.put("initContainers", containers("i", 1, 4));
      for (var each : spec.trees("initContainers")) {
        if (chance.percent(50)) {
          each.put("restartPolicy", "Always");
        }
      }
    }
    if (chance.percent(30)) {
      var level = new Tree();
      for (var name : chance.some(1, 3, "cpu", "memory", "hugepages-2Mi")) {
        level.put(
            name,
            switch (name) {
              case "cpu" -> chance.one("0", "1500m", "3", "0.1");
              case "memory" -> chance.one("0", "1Gi", "700M");
              default -> chance.one("4Mi", "64Mi");
            });
      }
      spec.put("resources", Tree.of("requests", level));
    } else {
      spec.remove("resources");
    }
    if (chance.percent(25)) {
      spec.put("overhead", amounts());
    }
  }

  private List<Object> containers(String prefix, int low, int high) {
    var list = chance.many(low, high, () -> Tree.of("name", "", "image", "app:1"));
    for (int i = 0; i < list.size(); i++) {
      var container = (Tree) list.get(i);
      container.put("name", prefix + i);
      if (chance.percent(85)) {
        container.put("resources", Tree.of("requests", amounts()));
      }
      if (chance.percent(8)) {
        container.put(
            "ports",
            List.of(
                Tree.of(
                    "containerPort",
                    80,
                    "hostPort",
                    80 + i,
                    "protocol",
                    chance.one("TCP", "SCTP"),
                    "hostIP",
                    chance.one("", "10.0.0.1", "::1"))));
      }
    }
    return list;
  }

  Tree amounts() {
    var amounts = new Tree();
    if (chance.percent(70)) {
      amounts.put(
          "cpu", chance.one("0", "1m", "0.1", "100500u", "1e-1", "1", "2", "1001m", "333m"));
    }
    if (chance.percent(70)) {
      amounts.put(
          "memory",
          chance.one("0", "1", "100m", "1.5Gi", "300e6", "2G", "123456789", "0.5Ki", "3Gi"));
    }
    if (chance.percent(15)) {
      amounts.put("ephemeral-storage", chance.one("0", "1G", "1500m", "9Gi"));
    }
    if (chance.percent(12)) {
      amounts.put("example.com/foo", chance.one("0", "1", "2"));
    }
    if (chance.percent(12)) {
      amounts.put("example.com/bar", chance.one("0", "1", "3"));
    }
    if (chance.percent(8)) {
      amounts.put("hugepages-1Gi", chance.one("0", "1Gi", "2Gi"));
    }
    if (chance.percent(8)) {
      amounts.put("nvidia.com/gpu", chance.one("0", "1"));
    }
    return amounts;
  }

  /// What a kubelet says of a container that was resized.
  Tree resized(Tree container) {
    var status = Tree.of("name", container.get("name"));
    if (chance.percent(75)) {
      status.put("allocatedResources", amounts());
    }
    if (chance.percent(50)) {
      status.put("resources", chance.percent(85) ? Tree.of("requests", amounts()) : new Tree());
    }
    return status;
  }
}
