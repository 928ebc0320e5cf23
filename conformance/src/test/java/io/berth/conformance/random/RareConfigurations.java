package io.berth.conformance.random;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Profiles with unusual arguments and orders of plug-ins.
final class RareConfigurations {

  private final Chance chance;

  RareConfigurations(Chance chance) {
    this.chance = chance;
  }

  Tree configuration() {
    var profile = Tree.of("schedulerName", "default-scheduler");
    var args = new ArrayList<Tree>();
    if (chance.percent(50)) {
      args.add(Tree.of("name", "NodeResourcesFit", "args", fit()));
    }
    if (chance.percent(40)) {
      args.add(
          Tree.of(
              "name",
              "NodeResourcesBalancedAllocation",
              "args",
              Tree.of("resources", resources(1))));
    }
    if (chance.percent(40)) {
      args.add(Tree.of("name", "NodeAffinity", "args", Tree.of("addedAffinity", addedAffinity())));
    }
    if (chance.percent(30)) {
      args.add(
          Tree.of(
              "name",
              "InterPodAffinity",
              "args",
              Tree.of(
                  "hardPodAffinityWeight",
                  chance.between(0, 100),
                  "ignorePreferredTermsOfExistingPods",
                  chance.percent(50))));
    }
    profile.put("pluginConfig", args);
    if (chance.percent(60)) {
      profile.put("plugins", plugins());
    }
    return Tree.of(
        "apiVersion", "kubescheduler.config.k8s.io/v1",
        "kind", "KubeSchedulerConfiguration",
        "profiles", List.of(profile));
  }

  private Tree fit() {
    var type = chance.one("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio");
    var strategy = Tree.of("type", type, "resources", resources(100));
    if (type.startsWith("Requested")) {
      var shape = new ArrayList<Tree>();
      for (int at = chance.between(0, 40); at <= 100; at += chance.between(1, 50)) {
        shape.add(Tree.of("utilization", at, "score", chance.between(0, 10)));
      }
      strategy.put("requestedToCapacityRatio", Tree.of("shape", shape));
    }
    var fit = Tree.of("scoringStrategy", strategy);
    if (chance.percent(25)) {
      fit.put("ignoredResources", chance.some(1, 2, "example.com/foo", "nvidia.com/gpu"));
    }
    if (chance.percent(20)) {
      fit.put("ignoredResourceGroups", List.of("example.com"));
    }
    return fit;
  }

  private List<Tree> resources(int highest) {
    var resources = new ArrayList<Tree>();
    for (var name :
        chance.some(
            1,
            6,
            "cpu",
            "memory",
            "ephemeral-storage",
            "nvidia.com/gpu",
            "example.com/foo",
            "example.com/bar",
            "hugepages-1Gi",
            "hugepages-2Mi")) {
      resources.add(Tree.of("name", name, "weight", chance.between(1, highest)));
    }
    return resources;
  }

  private Tree addedAffinity() {
    var added = new Tree();
    if (chance.percent(60)) {
      added.put(
          "requiredDuringSchedulingIgnoredDuringExecution",
          Tree.of("nodeSelectorTerms", chance.many(1, 3, this::addedTerm)));
    }
    if (chance.percent(60)) {
      added.put(
          "preferredDuringSchedulingIgnoredDuringExecution",
          chance.many(
              1, 3, () -> Tree.of("weight", chance.between(1, 100), "preference", addedTerm())));
    }
    return added;
  }

  private Tree addedTerm() {
    return Tree.of(
        "matchExpressions",
        chance.many(
            1,
            2,
            () ->
                chance.percent(30)
                    ? Tree.of(
                        "key", "cores",
                        "operator", chance.one("Gt", "Lt"),
                        "values", List.of(chance.one("0", "4", "9")))
                    : Tree.of(
                        "key", chance.one("disk", "rack", RandomSelectors.ZONE),
                        "operator", chance.one("In", "NotIn"),
                        "values", chance.some(1, 2, "ssd", "k1", "a", "b"))));
  }

  private Tree plugins() {
    var plugins = new Tree();
    if (chance.percent(40)) {
      plugins.put(
          "filter",
          Tree.of(
              "enabled",
              chance
                  .some(
                      2,
                      6,
                      "InterPodAffinity",
                      "PodTopologySpread",
                      "NodeResourcesFit",
                      "NodeAffinity",
                      "TaintToleration",
                      "NodePorts",
                      "NodeUnschedulable")
                  .stream()
                  .map(name -> Tree.of("name", name))
                  .toList(),
              "disabled",
              List.of(Tree.of("name", "*"))));
    }
    if (chance.percent(50)) {
      plugins.put(
          "score",
          Tree.of(
              "enabled",
              chance
                  .some(
                      1,
                      5,
                      "InterPodAffinity",
                      "PodTopologySpread",
                      "NodeResourcesFit",
                      "NodeAffinity",
                      "TaintToleration",
                      "ImageLocality",
                      "NodeResourcesBalancedAllocation")
                  .stream()
                  .map(name ->
                      Tree.of(
                          "name",
                          name,
                          "weight",
                          chance.percent(90) ? chance.between(1, 100) : 30_000_000))
                  .toList(),
              "disabled",
              List.of(Tree.of("name", "*"))));
    }
    if (chance.percent(15)) {
      plugins.put(
          "postFilter",
          Tree.of("disabled", List.of(Tree.of("name", chance.one("DynamicResources", "*")))));
    }
    return plugins;
  }
}
