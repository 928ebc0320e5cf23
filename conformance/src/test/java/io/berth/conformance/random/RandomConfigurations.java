package io.berth.conformance.random;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Random `KubeSchedulerConfiguration`s with one profile.
final class RandomConfigurations {

  private final Chance chance;
  private final RandomSelectors selectors;

  RandomConfigurations(Chance chance, RandomSelectors selectors) {
    this.chance = chance;
    this.selectors = selectors;
  }

  Tree configuration() {
    var profile = Tree.of("schedulerName", "default-scheduler");
    var args = new ArrayList<Tree>();
    if (chance.percent(25)) {
      args.add(args("NodeAffinity", nodeAffinity()));
    }
    if (chance.percent(35)) {
      args.add(args("NodeResourcesFit", fit()));
    }
    if (chance.percent(25)) {
      args.add(args("NodeResourcesBalancedAllocation", Tree.of("resources", resources(false))));
    }
    if (chance.percent(30)) {
      args.add(
          args(
              "InterPodAffinity",
              Tree.of(
                  "hardPodAffinityWeight", chance.one(0, 1, 7, 100),
                  "ignorePreferredTermsOfExistingPods", chance.percent(40))));
    }
    if (chance.percent(30)) {
      args.add(args("PodTopologySpread", spread()));
    }
    profile.put("pluginConfig", args);
    if (chance.percent(40)) {
      profile.put("plugins", plugins());
    }
    return Tree.of(
        "apiVersion",
        "kubescheduler.config.k8s.io/v1",
        "kind",
        "KubeSchedulerConfiguration",
        "percentageOfNodesToScore",
        100,
        "profiles",
        List.of(profile));
  }

  private static Tree args(String plugin, Tree args) {
    return Tree.of("name", plugin, "args", args);
  }

  private Tree nodeAffinity() {
    var added = new Tree();
    if (chance.percent(60)) {
      added.put(
          "requiredDuringSchedulingIgnoredDuringExecution",
          Tree.of(
              "nodeSelectorTerms",
              List.of(
                  Tree.of(
                      "matchExpressions",
                      List.of(
                          Tree.of(
                              "key", chance.one(RandomSelectors.ZONE, "disk"),
                              "operator", chance.one("In", "NotIn"),
                              "values", List.of(chance.one("a", "ssd"))))))));
    }
    if (chance.percent(60)) {
      added.put(
          "preferredDuringSchedulingIgnoredDuringExecution",
          List.of(
              Tree.of(
                  "weight",
                  chance.one(1, 10, 100),
                  "preference",
                  Tree.of(
                      "matchExpressions",
                      List.of(
                          Tree.of("key", "rack", "operator", "In", "values", List.of("k1")))))));
    }
    return Tree.of("addedAffinity", added);
  }

  private Tree fit() {
    var fit = new Tree();
    var type = chance.one("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio");
    var strategy = Tree.of("type", type, "resources", resources(true));
    if (type.equals("RequestedToCapacityRatio")) {
      strategy.put("requestedToCapacityRatio", Tree.of("shape", shape()));
    }
    fit.put("scoringStrategy", strategy);
    if (chance.percent(20)) {
      fit.put("ignoredResources", List.of("example.com/foo"));
    }
    if (chance.percent(20)) {
      fit.put("ignoredResourceGroups", List.of("nvidia.com"));
    }
    return fit;
  }

  private List<Tree> shape() {
    return switch (chance.between(0, 3)) {
      case 0 -> List.of(point(0, 0), point(100, 10));
      case 1 -> List.of(point(0, 10), point(100, 0));
      case 2 -> List.of(point(0, 0), point(33, 10), point(70, 3));
      default -> List.of(point(20, 5));
    };
  }

  private static Tree point(int utilization, int score) {
    return Tree.of("utilization", utilization, "score", score);
  }

  private List<Tree> resources(boolean weighted) {
    var resources = new ArrayList<Tree>();
    for (var name : chance.some(1, 4, "cpu", "memory", "ephemeral-storage", "nvidia.com/gpu")) {
      resources.add(Tree.of("name", name, "weight", weighted ? chance.one(1, 3, 100) : 1));
    }
    return resources;
  }

  private Tree spread() {
    if (chance.percent(20)) {
      return Tree.of("defaultingType", "System");
    }
    var constraints = new ArrayList<Tree>();
    for (var key : chance.some(0, 2, RandomSelectors.ZONE, "rack", RandomSelectors.HOSTNAME)) {
      constraints.add(
          Tree.of(
              "topologyKey", key,
              "maxSkew", chance.between(1, 3),
              "whenUnsatisfiable", chance.one("DoNotSchedule", "ScheduleAnyway")));
    }
    return Tree.of("defaultingType", "List", "defaultConstraints", constraints);
  }

  private Tree plugins() {
    var plugins = new Tree();
    if (chance.percent(50)) {
      var names =
          chance.some(1, 3, "TaintToleration", "NodeAffinity", "NodeResourcesFit", "ImageLocality");
      plugins.put(
          chance.one("score", "multiPoint"),
          Tree.of(
              "enabled",
              names.stream()
                  .map(name -> Tree.of("name", name, "weight", chance.one(1, 2, 5, 50)))
                  .toList()));
    }
    if (chance.percent(30)) {
      plugins
          .child("score")
          .put("disabled", disabled("InterPodAffinity", "PodTopologySpread", "TaintToleration"));
    }
    if (chance.percent(30)) {
      plugins
          .child("filter")
          .put("disabled", disabled("InterPodAffinity", "NodeUnschedulable", "TaintToleration"));
    }
    if (chance.percent(20)) {
      plugins
          .child("multiPoint")
          .put("disabled", disabled("NodeResourcesFit", "InterPodAffinity", "PodTopologySpread"));
    }
    if (chance.percent(15)) {
      plugins
          .child("postFilter")
          .put("disabled", disabled("DefaultPreemption", "DynamicResources"));
    }
    return plugins;
  }

  private List<Tree> disabled(String... names) {
    return chance.some(1, 1, names).stream().map(name -> Tree.of("name", name)).toList();
  }

  /// A selector for a budget or an owner.
  Tree selector() {
    return selectors.labelSelector();
  }
}
