package io.berth.codec;

import static io.berth.codec.SchedulerConfigurationReader.check;

import io.berth.api.NodeAffinity;
import io.berth.api.PluginArgs;
import io.berth.api.PluginArgs.DefaultPreemption;
import io.berth.api.PluginArgs.InterPodAffinity;
import io.berth.api.PluginArgs.NodeResourcesFit;
import io.berth.api.PluginArgs.PodTopologySpread;
import io.berth.api.PluginArgs.ResourceWeight;
import io.berth.api.PluginArgs.ShapePoint;
import io.berth.api.PluginArgs.Strategy;
import io.berth.api.PluginArgs.VolumeBinding;
import io.berth.api.Tree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Plugin arguments, with defaults and the checks kube-scheduler makes.
final class PluginArgsReader {

  /// Kubernetes' plugins that take arguments.
  private static final Set<String> KNOWN =
      Set.of(
          "DefaultPreemption",
          "InterPodAffinity",
          "NodeAffinity",
          "NodeResourcesFit",
          "NodeResourcesBalancedAllocation",
          "PodTopologySpread",
          "VolumeBinding");

  private final Map<String, Fields> byPlugin;

  private PluginArgsReader(Map<String, Fields> byPlugin) {
    this.byPlugin = byPlugin;
  }

  static PluginArgs read(Map<String, Fields> byPlugin) {
    var reader = new PluginArgsReader(byPlugin);
    return new PluginArgs(
        reader.preemption(),
        reader.interPodAffinity(),
        reader.addedAffinity(),
        reader.fit(),
        reader.balanced(),
        reader.spread(),
        reader.volumeBinding());
  }

  /// What is left for plugins that are not Kubernetes' own to read.
  static Map<String, Tree> others(Map<String, Fields> byPlugin) {
    var others = new HashMap<String, Tree>();
    byPlugin.forEach((plugin, args) -> {
      if (!KNOWN.contains(plugin)) {
        others.put(plugin, args.tree().copy().freeze());
      }
    });
    return others;
  }

  private Fields of(String plugin) {
    var args = byPlugin.get(plugin);
    if (args == null) {
      return Fields.of(new Tree());
    }
    var kind = args.textOr("kind", plugin + "Args");
    check(
        args, "kind", kind.equals(plugin + "Args"), "\"" + kind + "\"", "has to match plugin args");
    return args;
  }

  private DefaultPreemption preemption() {
    var args = of("DefaultPreemption");
    int percentage = args.integer("minCandidateNodesPercentage", 10);
    int absolute = args.integer("minCandidateNodesAbsolute", 100);
    var field = "minCandidateNodesPercentage";
    check(
        args,
        field,
        percentage >= 0 && percentage <= 100,
        percentage,
        "not in valid range [0, 100]");
    check(
        args, "minCandidateNodesAbsolute", absolute >= 0, absolute, "not in valid range [0, inf)");
    check(
        args,
        field,
        percentage + absolute > 0,
        percentage,
        "cannot be zero at the same time as minCandidateNodesAbsolute");
    return new DefaultPreemption(percentage, absolute);
  }

  private InterPodAffinity interPodAffinity() {
    var args = of("InterPodAffinity");
    int weight = args.integer("hardPodAffinityWeight", 1);
    check(
        args,
        "hardPodAffinityWeight",
        weight >= 0 && weight <= 100,
        weight,
        "not in valid range [0, 100]");
    return new InterPodAffinity(weight, args.flag("ignorePreferredTermsOfExistingPods"));
  }

  private NodeAffinity addedAffinity() {
    return SelectorReader.nodeAffinity(of("NodeAffinity").object("addedAffinity"));
  }

  private NodeResourcesFit fit() {
    var args = of("NodeResourcesFit");
    var defaults = PluginArgs.DEFAULT.nodeResourcesFit();
    var groups = args.texts("ignoredResourceGroups");
    for (int i = 0; i < groups.size(); i++) {
      check(
          args,
          "ignoredResourceGroups[" + i + "]",
          !groups.get(i).contains("/"),
          "\"" + groups.get(i) + "\"",
          "resource group name can't contain '/'");
    }
    var ignored = Set.copyOf(args.texts("ignoredResources"));
    if (!args.has("scoringStrategy")) {
      return new NodeResourcesFit(
          ignored, Set.copyOf(groups), defaults.strategy(), defaults.resources(), List.of());
    }
    var strategy = args.object("scoringStrategy");
    var type = strategyType(strategy);
    var ratio = strategy.objectOrNull("requestedToCapacityRatio");
    boolean wanted = type == Strategy.REQUESTED_TO_CAPACITY_RATIO;
    if (wanted && ratio == null) {
      throw strategy.wrong(
          "requestedToCapacityRatio",
          "Required value: must be specified when type is RequestedToCapacityRatio");
    }
    if (!wanted && ratio != null) {
      throw strategy.wrong(
          "requestedToCapacityRatio",
          "Forbidden: must be nil when type is not RequestedToCapacityRatio");
    }
    return new NodeResourcesFit(
        ignored,
        Set.copyOf(groups),
        type,
        strategy.has("resources") ? weights(strategy) : defaults.resources(),
        ratio == null ? List.of() : shape(ratio));
  }

  private static Strategy strategyType(Fields strategy) {
    var type = strategy.textOr("type", "LeastAllocated");
    return switch (type) {
      case "LeastAllocated" -> Strategy.LEAST_ALLOCATED;
      case "MostAllocated" -> Strategy.MOST_ALLOCATED;
      case "RequestedToCapacityRatio" -> Strategy.REQUESTED_TO_CAPACITY_RATIO;
      default ->
          throw strategy.wrong(
              "type",
              "Unsupported value: \"%s\": supported values: \"LeastAllocated\", \"MostAllocated\", \"RequestedToCapacityRatio\""
                  .formatted(type));
    };
  }

  private static List<ResourceWeight> weights(Fields parent) {
    return parent.objects(
        "resources",
        resource -> {
          long weight = resource.number("weight", 0);
          weight = weight == 0 ? 1 : weight;
          var name = resource.text("name");
          check(
              resource,
              "weight",
              weight > 0 && weight <= 100,
              weight,
              "resource weight of " + name + " not in valid range (0, 100]");
          return new ResourceWeight(name, weight);
        });
  }

  private static List<ShapePoint> shape(Fields parent) {
    var points =
        parent.objects(
            "shape",
            point -> {
              int utilization = point.integer("utilization", 0);
              int score = point.integer("score", 0);
              check(
                  point,
                  "utilization",
                  utilization >= 0 && utilization <= 100,
                  utilization,
                  "not in valid range [0, 100]");
              check(point, "score", score >= 0 && score <= 10, score, "not in valid range [0, 10]");
              return new ShapePoint(utilization, score);
            });
    if (points.isEmpty()) {
      throw parent.wrong("shape", "Required value: at least one point must be specified");
    }
    for (int i = 1; i < points.size(); i++) {
      int utilization = points.get(i).utilization();
      check(
          parent,
          "shape[" + i + "].utilization",
          points.get(i - 1).utilization() < utilization,
          utilization,
          "values must be sorted in increasing order");
    }
    return points;
  }

  private List<ResourceWeight> balanced() {
    var args = of("NodeResourcesBalancedAllocation");
    if (!args.has("resources")) {
      return PluginArgs.DEFAULT.balancedResources();
    }
    var names = new HashSet<String>();
    return args.objects(
        "resources",
        resource -> {
          var name = resource.text("name");
          long weight = resource.number("weight", 1);
          weight = weight == 0 ? 1 : weight;
          if (!names.add(name)) {
            throw resource.wrong("name", "Duplicate value: \"" + name + "\"");
          }
          check(resource, "weight", weight == 1, weight, "must be 1");
          return new ResourceWeight(name, 1);
        });
  }

  private PodTopologySpread spread() {
    var args = of("PodTopologySpread");
    var type = args.textOr("defaultingType", "System");
    if (!type.equals("System") && !type.equals("List")) {
      throw args.wrong(
          "defaultingType",
          "Unsupported value: \"%s\": supported values: \"List\", \"System\"".formatted(type));
    }
    var seen = new HashSet<String>();
    var constraints =
        args.objects(
            "defaultConstraints",
            fields -> {
              var constraint = PodReader.constraint(fields);
              check(
                  fields,
                  "maxSkew",
                  constraint.maxSkew() > 0,
                  constraint.maxSkew(),
                  "not in valid range (0, inf)");
              if (constraint.topologyKey().isEmpty()) {
                throw fields.wrong("topologyKey", "Required value: can not be empty");
              }
              var when = constraint.whenUnsatisfiable();
              if (!when.equals("DoNotSchedule") && !when.equals("ScheduleAnyway")) {
                throw fields.wrong(
                    "whenUnsatisfiable",
                    when.isEmpty()
                        ? "Required value: can not be empty"
                        : "Unsupported value: \"%s\": supported values: \"DoNotSchedule\", \"ScheduleAnyway\""
                            .formatted(when));
              }
              if (constraint.labelSelector() != null) {
                throw fields.wrong(
                    "labelSelector",
                    "Forbidden: constraint must not define a selector, as they deduced for each"
                        + " pod");
              }
              var pair = "{" + constraint.topologyKey() + ", " + when + "}";
              if (!seen.add(pair)) {
                throw fields.wrong("topologyKey", "Duplicate value: \"" + pair + "\"");
              }
              return constraint;
            });
    boolean system = type.equals("System");
    check(
        args,
        "defaultingType",
        !system || constraints.isEmpty(),
        "\"System\"",
        "when .defaultConstraints are not empty");
    return new PodTopologySpread(constraints, system);
  }

  private VolumeBinding volumeBinding() {
    var args = of("VolumeBinding");
    long timeout = args.number("bindTimeoutSeconds", 600);
    check(
        args,
        "bindTimeoutSeconds",
        timeout >= 0,
        timeout,
        "invalid BindTimeoutSeconds, should not be a negative value");
    return new VolumeBinding(
        timeout, args.has("shape") ? shape(args) : PluginArgs.DEFAULT.volumeBinding().shape());
  }
}
