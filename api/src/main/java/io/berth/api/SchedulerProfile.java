package io.berth.api;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// One profile of the scheduler: which plugins run at which extension point, and their arguments.
///
/// `plugins` maps the point as the configuration names it (`filter`, `score`, `multiPoint`, …) to
/// what is enabled and disabled there; the defaults are not merged in yet. `pluginConfig` are the
/// arguments of plugins as they were written: each plugin reads and checks its own.
/// `ignoredResources` are those that extenders see to.
public record SchedulerProfile(
    String schedulerName,
    Map<String, PluginSet> plugins,
    List<PluginConfig> pluginConfig,
    Set<String> ignoredResources) {

  public static final SchedulerProfile DEFAULT =
      new SchedulerProfile(PodSpec.DEFAULT_SCHEDULER, Map.of(), List.of(), Set.of());

  private static final Tree NO_ARGS = new Tree().freeze();

  public SchedulerProfile {
    plugins = Map.copyOf(plugins);
    pluginConfig = List.copyOf(pluginConfig);
    ignoredResources = Set.copyOf(ignoredResources);
  }

  /// The arguments of a plugin, empty when it has none.
  public Tree args(String plugin) {
    int place = placeOfArgs(plugin);
    return place < 0 ? NO_ARGS : pluginConfig.get(place).args();
  }

  /// Where in `pluginConfig` they are, negative if nowhere.
  public int placeOfArgs(String plugin) {
    for (int i = 0; i < pluginConfig.size(); i++) {
      if (pluginConfig.get(i).name().equals(plugin)) {
        return i;
      }
    }
    return -1;
  }

  /// Every plugin that is enabled at some point by name.
  public Set<String> enabledPlugins() {
    var names = new TreeSet<String>();
    plugins.values().forEach(set -> set.enabled().forEach(plugin -> names.add(plugin.name())));
    return names;
  }

  /// The same, but blind for these resources when it sums up what pods ask for.
  public SchedulerProfile ignoring(Set<String> resources) {
    return new SchedulerProfile(schedulerName, plugins, pluginConfig, resources);
  }

  public record PluginConfig(String name, Tree args) {}

  public record PluginSet(List<Plugin> enabled, List<String> disabled) {

    public static final PluginSet EMPTY = new PluginSet(List.of(), List.of());

    public PluginSet {
      enabled = List.copyOf(enabled);
      disabled = List.copyOf(disabled);
    }
  }

  /// `weight` is 0 when the configuration gives none.
  public record Plugin(String name, int weight) {}
}
