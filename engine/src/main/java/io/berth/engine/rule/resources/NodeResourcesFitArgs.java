package io.berth.engine.rule.resources;

import io.berth.api.LabelSyntax;
import io.berth.engine.rule.Args;
import io.berth.engine.rule.UtilizationShape;
import io.berth.engine.rule.UtilizationShape.ShapePoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The arguments of NodeResourcesFit: which resources it leaves to others, and how it scores.
///
/// Mirrors: apis/config/validation.ValidateNodeResourcesFitArgs
public record NodeResourcesFitArgs(
    Set<String> ignoredResources,
    Set<String> ignoredResourceGroups,
    Strategy strategy,
    List<ResourceWeight> resources,
    List<ShapePoint> shape) {

  /// What a node is scored by.
  public enum Strategy {
    LEAST_ALLOCATED("LeastAllocated"),
    MOST_ALLOCATED("MostAllocated"),
    REQUESTED_TO_CAPACITY_RATIO("RequestedToCapacityRatio");

    private final String text;

    Strategy(String text) {
      this.text = text;
    }
  }

  private static final String RATIO = "requestedToCapacityRatio";
  private static final List<ResourceWeight> CPU_AND_MEMORY =
      List.of(new ResourceWeight("cpu", 1), new ResourceWeight("memory", 1));

  public NodeResourcesFitArgs {
    ignoredResources = Set.copyOf(ignoredResources);
    ignoredResourceGroups = Set.copyOf(ignoredResourceGroups);
    resources = List.copyOf(resources);
    shape = List.copyOf(shape);
  }

  /// `ignored` are resources that extenders see to.
  public static NodeResourcesFitArgs read(Args args, Set<String> ignored) {
    var resources = args.texts("ignoredResources");
    for (int i = 0; i < resources.size(); i++) {
      checkName(args, "ignoredResources[" + i + "]", resources.get(i));
    }
    var groups = args.texts("ignoredResourceGroups");
    for (int i = 0; i < groups.size(); i++) {
      checkGroup(args, "ignoredResourceGroups[" + i + "]", groups.get(i));
    }
    var all = new HashSet<>(ignored);
    all.addAll(resources);
    if (!args.has("scoringStrategy")) {
      return new NodeResourcesFitArgs(
          all, new HashSet<>(groups), Strategy.LEAST_ALLOCATED, CPU_AND_MEMORY, List.of());
    }
    var scoring = args.object("scoringStrategy");
    var strategy = strategy(scoring);
    var weights = weights(scoring);
    return new NodeResourcesFitArgs(
        all, new HashSet<>(groups), strategy, weights, shape(scoring, strategy));
  }

  private static void checkGroup(Args args, String field, String group) {
    boolean divided = group.contains("/");
    args.check(!divided, field, group, "resource group name can't contain '/'");
    if (!divided) {
      checkName(args, field, group);
    }
  }

  private static void checkName(Args args, String field, String name) {
    LabelSyntax.problemsWithKey(name).forEach(each -> args.check(false, field, name, each));
  }

  private static Strategy strategy(Args scoring) {
    var type = scoring.text("type");
    var all = new ArrayList<String>();
    for (var strategy : Strategy.values()) {
      if (strategy.text.equals(type)) {
        return strategy;
      }
      all.add(strategy.text);
    }
    scoring.checkOneOf("type", type, all);
    return Strategy.LEAST_ALLOCATED;
  }

  private static List<ResourceWeight> weights(Args scoring) {
    var weights = new ArrayList<ResourceWeight>();
    for (var resource : scoring.objects("resources")) {
      var name = resource.text("name");
      long weight = resource.number("weight", 0);
      weight = weight == 0 ? 1 : weight;
      resource.check(
          weight > 0 && weight <= 100,
          "weight",
          weight,
          "resource weight of " + name + " not in valid range (0, 100]");
      weights.add(new ResourceWeight(name, weight));
    }
    return weights.isEmpty() ? CPU_AND_MEMORY : weights;
  }

  private static List<ShapePoint> shape(Args scoring, Strategy strategy) {
    if (strategy != Strategy.REQUESTED_TO_CAPACITY_RATIO) {
      if (scoring.has(RATIO)) {
        scoring.wrong(RATIO, "Forbidden: must be nil when type is not RequestedToCapacityRatio");
      }
      return List.of();
    }
    if (!scoring.has(RATIO)) {
      scoring.wrong(
          RATIO, "Required value: must be specified when type is RequestedToCapacityRatio");
      return List.of();
    }
    return UtilizationShape.read(scoring.object(RATIO));
  }
}
