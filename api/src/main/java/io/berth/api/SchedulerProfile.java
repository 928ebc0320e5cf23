package io.berth.api;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// One profile of the scheduler: which plugins run at which extension point, and their arguments.
///
/// `plugins` maps the point as the configuration names it (`filter`, `score`, `multiPoint`, …) to
/// what is enabled and disabled there; the defaults are not merged in yet. `otherArgs` are the
/// arguments of plugins that are not Kubernetes' own, as they were written.
public record SchedulerProfile(
    String schedulerName,
    Map<String, PluginSet> plugins,
    PluginArgs args,
    Map<String, Tree> otherArgs) {

  public static final SchedulerProfile DEFAULT =
      new SchedulerProfile(PodSpec.DEFAULT_SCHEDULER, Map.of(), PluginArgs.DEFAULT, Map.of());

  public SchedulerProfile {
    plugins = Map.copyOf(plugins);
    otherArgs = Map.copyOf(otherArgs);
  }

  /// Every plugin that is enabled at some point by name.
  public Set<String> enabledPlugins() {
    var names = new TreeSet<String>();
    plugins.values().forEach(set -> set.enabled().forEach(plugin -> names.add(plugin.name())));
    return names;
  }

  /// The same, but blind for these resources when it sums up what pods ask for.
  public SchedulerProfile ignoring(Set<String> resources) {
    return new SchedulerProfile(schedulerName, plugins, args.ignoring(resources), otherArgs);
  }

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
