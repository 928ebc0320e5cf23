package io.berth.codec;

import io.berth.api.PluginArgs;
import io.berth.api.PodSpec;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.SchedulerConfiguration.LeaderElection;
import io.berth.api.SchedulerProfile;
import io.berth.api.SchedulerProfile.Plugin;
import io.berth.api.SchedulerProfile.PluginSet;
import io.berth.api.Tree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads a `KubeSchedulerConfiguration`, fills in the defaults and checks it as kube-scheduler
/// does.
public final class SchedulerConfigurationReader {

  private static final String API_VERSION = "kubescheduler.config.k8s.io/v1";
  private static final Set<String> REMOVED =
      Set.of("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits");
  private static final List<String> POINTS =
      List.of(
          "preEnqueue",
          "queueSort",
          "preFilter",
          "filter",
          "postFilter",
          "preScore",
          "score",
          "reserve",
          "permit",
          "preBind",
          "bind",
          "postBind",
          "multiPoint");

  private SchedulerConfigurationReader() {}

  /// Throws [FieldException] at the first field that kube-scheduler would refuse.
  public static SchedulerConfiguration read(Tree tree) {
    var file = Fields.of(tree);
    checkKind(file);
    int initial = file.integer("podInitialBackoffSeconds", 1);
    int longest = file.integer("podMaxBackoffSeconds", 10);
    var configuration =
        new SchedulerConfiguration(
            file.integer("parallelism", 16),
            percentage(file),
            initial,
            longest,
            profiles(file),
            leaderElection(file),
            file.objects("extenders", Fields::tree));
    check(
        file,
        "parallelism",
        configuration.parallelism() > 0,
        configuration.parallelism(),
        "should be an integer value greater than zero");
    check(file, "podInitialBackoffSeconds", initial > 0, initial, "must be greater than 0");
    check(
        file,
        "podMaxBackoffSeconds",
        longest >= initial,
        longest,
        "must be greater than or equal to PodInitialBackoffSeconds");
    return configuration;
  }

  private static void checkKind(Fields file) {
    var version = file.textOr("apiVersion", API_VERSION);
    var kind = file.textOr("kind", "KubeSchedulerConfiguration");
    if (!version.equals(API_VERSION) || !kind.equals("KubeSchedulerConfiguration")) {
      throw file.wrong(
          "kind",
          "no kind \"%s\" is registered for version \"%s\"; use KubeSchedulerConfiguration of %s"
              .formatted(kind, version, API_VERSION));
    }
  }

  private static int percentage(Fields fields) {
    int percentage = fields.integer("percentageOfNodesToScore", 0);
    check(
        fields,
        "percentageOfNodesToScore",
        percentage >= 0 && percentage <= 100,
        percentage,
        "not in valid range [0-100]");
    return percentage;
  }

  private static List<SchedulerProfile> profiles(Fields file) {
    if (!file.has("profiles")) {
      return List.of(SchedulerProfile.DEFAULT);
    }
    var read = file.objects("profiles", profile -> profile);
    if (read.isEmpty()) {
      return List.of(SchedulerProfile.DEFAULT);
    }
    var profiles = read.stream().map(p -> profile(p, read.size() == 1)).toList();
    var names = new HashSet<String>();
    for (int i = 0; i < profiles.size(); i++) {
      if (!names.add(profiles.get(i).schedulerName())) {
        throw read.get(i)
            .wrong("schedulerName", "Duplicate value: \"" + profiles.get(i).schedulerName() + "\"");
      }
      var sort = profiles.get(i).plugins().getOrDefault("queueSort", PluginSet.EMPTY);
      if (!sort.equals(profiles.get(0).plugins().getOrDefault("queueSort", PluginSet.EMPTY))) {
        throw read.get(i).wrong("plugins.queueSort", "must be the same for all profiles");
      }
    }
    return profiles;
  }

  private static SchedulerProfile profile(Fields profile, boolean only) {
    var name = profile.text("schedulerName");
    if (name.isEmpty()) {
      if (!only) {
        throw profile.wrong("schedulerName", "Required value");
      }
      name = PodSpec.DEFAULT_SCHEDULER;
    }
    percentage(profile);
    return new SchedulerProfile(name, plugins(profile.object("plugins")), args(profile));
  }

  private static Map<String, PluginSet> plugins(Fields plugins) {
    var sets = new HashMap<String, PluginSet>();
    for (var point : POINTS) {
      var set = plugins.objectOrNull(point);
      if (set != null) {
        sets.put(
            point,
            new PluginSet(
                set.objects("enabled", SchedulerConfigurationReader::plugin),
                set.objects("disabled", plugin -> plugin.text("name"))));
      }
    }
    return sets;
  }

  private static Plugin plugin(Fields plugin) {
    var name = plugin.text("name");
    checkExists(plugin, name);
    return new Plugin(name, plugin.integer("weight", 0));
  }

  private static PluginArgs args(Fields profile) {
    var byPlugin = new HashMap<String, Fields>();
    for (var config : profile.objects("pluginConfig", config -> config)) {
      var name = config.text("name");
      checkExists(config, name);
      if (byPlugin.put(name, config.object("args")) != null) {
        throw config.wrong("name", "Duplicate value: \"" + name + "\"");
      }
    }
    return PluginArgsReader.read(byPlugin);
  }

  private static void checkExists(Fields fields, String name) {
    if (REMOVED.contains(name)) {
      throw fields.wrong(
          "name",
          "Invalid value: \"%s\": was invalid in version \"%s\"".formatted(name, API_VERSION));
    }
  }

  private static LeaderElection leaderElection(Fields file) {
    var election = file.objectOrNull("leaderElection");
    if (election == null) {
      return LeaderElection.DEFAULT;
    }
    var defaults = LeaderElection.DEFAULT;
    boolean elect = !election.has("leaderElect") || election.flag("leaderElect");
    var lock = election.textOr("resourceLock", "leases");
    check(
        election,
        "resourceLock",
        !elect || lock.equals("leases"),
        "\"" + lock + "\"",
        "resourceLock value must be \"leases\"");
    return new LeaderElection(
        elect,
        Durations.millis(election, "leaseDuration", defaults.leaseDurationMillis()),
        Durations.millis(election, "renewDeadline", defaults.renewDeadlineMillis()),
        Durations.millis(election, "retryPeriod", defaults.retryPeriodMillis()),
        election.textOr("resourceNamespace", defaults.resourceNamespace()),
        election.textOr("resourceName", defaults.resourceName()));
  }

  static void check(Fields fields, String field, boolean valid, Object value, String problem) {
    if (!valid) {
      throw fields.wrong(field, "Invalid value: " + value + ": " + problem);
    }
  }
}
