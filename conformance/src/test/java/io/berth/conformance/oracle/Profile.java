package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The one profile of a `KubeSchedulerConfiguration`: which plugins run, in which order, with which
/// weights and arguments.
final class Profile {

  private static final Map<String, Long> DEFAULTS = new LinkedHashMap<>();

  private static final Map<String, Set<String>> POINTS =
      Map.of(
          "preFilter", preFilters(),
          "filter", filters(),
          "postFilter", Set.of("DynamicResources", "DefaultPreemption"),
          "preScore", preScores(),
          "score", scores());

  static {
    DEFAULTS.put("NodeName", 0L);
    DEFAULTS.put("NodeUnschedulable", 0L);
    DEFAULTS.put("TaintToleration", 3L);
    DEFAULTS.put("NodeAffinity", 2L);
    DEFAULTS.put("NodePorts", 0L);
    DEFAULTS.put("NodeResourcesFit", 1L);
    DEFAULTS.put("VolumeRestrictions", 0L);
    DEFAULTS.put("NodeVolumeLimits", 0L);
    DEFAULTS.put("VolumeBinding", 0L);
    DEFAULTS.put("VolumeZone", 0L);
    DEFAULTS.put("PodTopologySpread", 2L);
    DEFAULTS.put("InterPodAffinity", 2L);
    DEFAULTS.put("DynamicResources", 2L);
    DEFAULTS.put("DefaultPreemption", 0L);
    DEFAULTS.put("NodeResourcesBalancedAllocation", 1L);
    DEFAULTS.put("ImageLocality", 1L);
    DEFAULTS.put("NodeDeclaredFeatures", 0L);
  }

  private final Tree profile;
  private final Map<String, Long> multiPoint;

  Profile(@Nullable Tree config) {
    var profiles = config == null ? List.<Tree>of() : config.trees("profiles");
    this.profile = profiles.isEmpty() ? new Tree() : profiles.getFirst();
    this.multiPoint = merged();
  }

  /// The plugins of an extension point, in the order they run, with their weights.
  Map<String, Long> at(String point) {
    var set = profile.treeOrEmpty("plugins", point);
    var enabled = weights(set.trees("enabled"));
    var disabled = names(set.trees("disabled"));
    var order = new LinkedHashMap<String, Long>();
    if (!disabled.contains("*")) {
      for (var name : enabled.keySet()) {
        if (multiPoint.containsKey(name) && !disabled.contains(name)) {
          order.put(name, weight(name, enabled));
        }
      }
      for (var name : multiPoint.keySet()) {
        if (!disabled.contains(name) && supports(point, name)) {
          order.putIfAbsent(name, weight(name, enabled));
        }
      }
    }
    for (var name : enabled.keySet()) {
      order.putIfAbsent(name, weight(name, enabled));
    }
    return order;
  }

  Tree args(String plugin) {
    for (var each : profile.trees("pluginConfig")) {
      if (each.textOrEmpty("name").equals(plugin)) {
        return each.treeOrEmpty("args");
      }
    }
    return new Tree();
  }

  private long weight(String name, Map<String, Long> explicit) {
    var own = explicit.getOrDefault(name, 0L);
    var general = multiPoint.getOrDefault(name, 0L);
    long weight = own != 0 ? own : general;
    return weight == 0 ? 1 : weight;
  }

  private Map<String, Long> merged() {
    var set = profile.treeOrEmpty("plugins", "multiPoint");
    var disabled = names(set.trees("disabled"));
    var enabled = weights(set.trees("enabled"));
    var merged = new LinkedHashMap<String, Long>();
    DEFAULTS.forEach((name, weight) -> {
      if (!disabled.contains("*") && !disabled.contains(name)) {
        merged.put(name, enabled.getOrDefault(name, weight));
      }
    });
    enabled.forEach(merged::putIfAbsent);
    return merged;
  }

  private static boolean supports(String point, String plugin) {
    return java.util.Objects.requireNonNull(POINTS.get(point)).contains(plugin);
  }

  private static List<String> names(List<Tree> plugins) {
    return plugins.stream().map(each -> each.textOrEmpty("name")).toList();
  }

  private static Map<String, Long> weights(List<Tree> plugins) {
    var weights = new LinkedHashMap<String, Long>();
    plugins.forEach(each -> weights.put(each.textOrEmpty("name"), each.number(0, "weight")));
    return weights;
  }

  private static Set<String> filters() {
    return Set.of(
        "NodeName",
        "NodeUnschedulable",
        "TaintToleration",
        "NodeAffinity",
        "NodePorts",
        "NodeResourcesFit",
        "VolumeRestrictions",
        "NodeVolumeLimits",
        "VolumeBinding",
        "VolumeZone",
        "PodTopologySpread",
        "InterPodAffinity",
        "DynamicResources",
        "NodeDeclaredFeatures");
  }

  private static Set<String> preFilters() {
    var names = new java.util.HashSet<>(filters());
    names.removeAll(List.of("NodeUnschedulable", "TaintToleration"));
    return Set.copyOf(names);
  }

  private static Set<String> preScores() {
    return Set.of(
        "TaintToleration",
        "NodeAffinity",
        "NodeResourcesFit",
        "VolumeBinding",
        "PodTopologySpread",
        "InterPodAffinity",
        "NodeResourcesBalancedAllocation");
  }

  private static Set<String> scores() {
    var names = new java.util.HashSet<>(preScores());
    names.addAll(List.of("DynamicResources", "ImageLocality"));
    return Set.copyOf(names);
  }

  /// The configured resources of a scoring plugin with their weights, or cpu and memory.
  static Map<String, Long> resources(List<Tree> configured) {
    var resources = new LinkedHashMap<String, Long>();
    for (var each : configured) {
      resources.put(each.textOrEmpty("name"), Math.max(1, each.number(1, "weight")));
    }
    if (resources.isEmpty()) {
      resources.put("cpu", 1L);
      resources.put("memory", 1L);
    }
    return resources;
  }

  static List<String> texts(List<?> values) {
    var texts = new ArrayList<String>();
    values.forEach(each -> texts.add(String.valueOf(each)));
    return texts;
  }

  static <V> Map<String, V> copy(Map<String, V> map) {
    return new HashMap<>(map);
  }
}
