package io.berth.engine.rule;

import io.berth.api.SchedulerConfiguration;
import io.berth.api.SchedulerProfile;
import io.berth.api.SchedulerProfile.Plugin;
import io.berth.api.SchedulerProfile.PluginSet;
import io.berth.engine.rule.Profile.WeightedScore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which rules there are, and which of them a configuration lets run, in which order.
public final class Profiles {

  /// Every plugin of the default profile with its weight, in order. Those that are no rules (queue
  /// sort, gates, binding) are named so that a configuration may name them.
  private static final List<Plugin> DEFAULTS =
      List.of(
          new Plugin("SchedulingGates", 0),
          new Plugin("PrioritySort", 0),
          new Plugin("NodeName", 0),
          new Plugin("NodeUnschedulable", 0),
          new Plugin("TaintToleration", 3),
          new Plugin("NodeAffinity", 2),
          new Plugin("NodePorts", 0),
          new Plugin("NodeResourcesFit", 1),
          new Plugin("VolumeRestrictions", 0),
          new Plugin("NodeVolumeLimits", 0),
          new Plugin("VolumeBinding", 0),
          new Plugin("VolumeZone", 0),
          new Plugin("PodTopologySpread", 2),
          new Plugin("InterPodAffinity", 2),
          new Plugin("DynamicResources", 2),
          new Plugin("DefaultPreemption", 0),
          new Plugin("NodeResourcesBalancedAllocation", 1),
          new Plugin("ImageLocality", 1),
          new Plugin("DefaultBinder", 0),
          new Plugin("NodeDeclaredFeatures", 0));

  private static final String CLAIMS = "DynamicResources";

  private final Map<String, Profile> byName = new LinkedHashMap<>();

  /// The profiles of a configuration; `others` are rules beside Kubernetes' own, which a
  /// configuration enables by name.
  public Profiles(SchedulerConfiguration configuration, RuleCatalog others) {
    var all = configuration.profiles();
    var problems = new ArrayList<String>();
    var rules = new ArrayList<ProfileRules>();
    for (int i = 0; i < all.size(); i++) {
      rules.add(new ProfileRules(all.get(i), "profiles[" + i + "]"));
      problems.addAll(rules.get(i).problems());
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(Args.together(problems));
    }
    for (int i = 0; i < all.size(); i++) {
      byName.put(all.get(i).schedulerName(), profile(all.get(i), rules.get(i), others));
    }
  }

  /// Refuses a configuration that cannot be followed: an [IllegalArgumentException] says why.
  public static void check(SchedulerConfiguration configuration, RuleCatalog others) {
    new Profiles(configuration, others);
  }

  /// The profile for a pod's `schedulerName`, or the first when there is none of that name.
  public Profile of(String schedulerName) {
    var found = byName.get(schedulerName);
    return found != null ? found : first();
  }

  public Profile first() {
    return byName.values().iterator().next();
  }

  /// The filters of this name, one of each profile that has it.
  List<FilterRule> filters(String name) {
    var found = new ArrayList<FilterRule>();
    for (var profile : byName.values()) {
      var filter = profile.filter(name);
      if (filter != null) {
        found.add(filter);
      }
    }
    return found;
  }

  public boolean has(String schedulerName) {
    return byName.containsKey(schedulerName);
  }

  public Set<String> names() {
    return byName.keySet();
  }

  static boolean isKubernetes(String plugin) {
    return DEFAULTS.stream().anyMatch(each -> each.name().equals(plugin));
  }

  private static Profile profile(
      SchedulerProfile profile, ProfileRules kubernetes, RuleCatalog catalog) {
    checkKnown(profile, catalog);
    var rules = kubernetes.byName();
    var others = catalog.rulesOf(profile);
    others.forEach(rule -> rules.put(rule.name(), rule));
    var multiPoint = merge(DEFAULTS, set(profile, "multiPoint"));
    var filters = filters(at(multiPoint, set(profile, "filter")), rules);
    var preFilters = filters(at(multiPoint, set(profile, "preFilter")), rules);
    // Rules beside Kubernetes' own are one thing, wherever they are enabled.
    filters.stream()
        .filter(rule -> others.contains(rule) && !preFilters.contains(rule))
        .forEach(preFilters::add);
    var scores = new ArrayList<WeightedScore>();
    for (var plugin : at(multiPoint, set(profile, "score"))) {
      if (rules.get(plugin.name()) instanceof ScoreRule rule && canScore(rule, filters)) {
        scores.add(new WeightedScore(rule, weight(plugin, multiPoint)));
      }
    }
    var preScores = new ArrayList<ScoreRule>();
    for (var plugin : at(multiPoint, set(profile, "preScore"))) {
      if (rules.get(plugin.name()) instanceof ScoreRule rule
          && scores.stream().noneMatch(weighted -> weighted.rule().equals(rule))) {
        preScores.add(rule);
      }
    }
    kubernetes.checkInitialized(rule ->
        filters.contains(rule)
            || preFilters.contains(rule)
            || preScores.contains(rule)
            || scores.stream().anyMatch(weighted -> weighted.rule().equals(rule)));
    var reserving = new ArrayList<Reserving>();
    for (var plugin : at(multiPoint, set(profile, "reserve"))) {
      if (rules.get(plugin.name()) instanceof Reserving rule) {
        reserving.add(rule);
      }
    }
    var postFilter = at(multiPoint, set(profile, "postFilter")).stream().map(Plugin::name).toList();
    return new Profile(
        profile.schedulerName(),
        preFilters,
        filters,
        // As in Kubernetes, without scores there is nothing to prepare for.
        scores.isEmpty() ? List.of() : preScores,
        scores,
        reserving,
        postFilter.contains("DefaultPreemption"),
        claimsComeFirst(postFilter) ? CLAIMS : null);
  }

  private static List<FilterRule> filters(List<Plugin> plugins, Map<String, Rule> rules) {
    var filters = new ArrayList<FilterRule>();
    for (var plugin : plugins) {
      if (rules.get(plugin.name()) instanceof FilterRule rule) {
        filters.add(rule);
      }
    }
    return filters;
  }

  private static boolean canScore(ScoreRule rule, List<FilterRule> filters) {
    return !rule.restsOnFilter() || filters.stream().anyMatch(filter -> filter.equals(rule));
  }

  // DynamicResources looks for its own state before DefaultPreemption gets a chance.
  private static boolean claimsComeFirst(List<String> postFilter) {
    int claims = postFilter.indexOf(CLAIMS);
    int preemption = postFilter.indexOf("DefaultPreemption");
    return claims >= 0 && (preemption < 0 || claims < preemption);
  }

  private static long weight(Plugin plugin, List<Plugin> multiPoint) {
    if (plugin.weight() != 0) {
      return plugin.weight();
    }
    for (var other : multiPoint) {
      if (other.name().equals(plugin.name()) && other.weight() != 0) {
        return other.weight();
      }
    }
    return 1;
  }

  private static void checkKnown(SchedulerProfile profile, RuleCatalog catalog) {
    for (var plugin : profile.enabledPlugins()) {
      if (!isKubernetes(plugin) && !catalog.names().contains(plugin)) {
        var known = new ArrayList<>(DEFAULTS.stream().map(Plugin::name).toList());
        known.addAll(catalog.names());
        throw new IllegalArgumentException(
            "profile %s enables plugin %s, which does not exist; there are %s"
                .formatted(profile.schedulerName(), plugin, known));
      }
    }
  }

  private static PluginSet set(SchedulerProfile profile, String point) {
    return profile.plugins().getOrDefault(point, PluginSet.EMPTY);
  }

  /// Custom plugins merged into defaults: those of equal name replace in place, others follow.
  private static List<Plugin> merge(List<Plugin> defaults, PluginSet custom) {
    var replacing = new LinkedHashMap<String, Plugin>();
    custom.enabled().forEach(plugin -> replacing.put(plugin.name(), plugin));
    var merged = new ArrayList<Plugin>();
    if (!custom.disabled().contains("*")) {
      for (var plugin : defaults) {
        if (!custom.disabled().contains(plugin.name())) {
          var replacement = replacing.remove(plugin.name());
          merged.add(replacement == null ? plugin : replacement);
        }
      }
    }
    merged.addAll(replacing.values());
    return merged;
  }

  /// The plugins at one point: explicit ones that also come by multiPoint first, then the others of
  /// multiPoint, then the other explicit ones.
  private static List<Plugin> at(List<Plugin> multiPoint, PluginSet point) {
    var names = new HashMap<String, Plugin>();
    multiPoint.forEach(plugin -> names.put(plugin.name(), plugin));
    var first = new ArrayList<Plugin>();
    var last = new ArrayList<Plugin>();
    boolean expands = !point.disabled().contains("*");
    for (var plugin : point.enabled()) {
      boolean overrides =
          expands && names.containsKey(plugin.name()) && !point.disabled().contains(plugin.name());
      (overrides ? first : last).add(plugin);
    }
    if (expands) {
      for (var plugin : multiPoint) {
        boolean explicit = point.enabled().stream().anyMatch(p -> p.name().equals(plugin.name()));
        if (!explicit && !point.disabled().contains(plugin.name())) {
          first.add(plugin);
        }
      }
    }
    first.addAll(last);
    return first;
  }
}
