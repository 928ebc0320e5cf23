package io.berth.codec;

import io.berth.api.PodSpec;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.SchedulerConfiguration.LeaderElection;
import io.berth.api.SchedulerProfile;
import io.berth.api.SchedulerProfile.Plugin;
import io.berth.api.SchedulerProfile.PluginConfig;
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
  static final List<String> POINTS =
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
          "multiPoint",
          "placementGenerate",
          "placementScore",
          "podGroupPostFilter");

  private SchedulerConfigurationReader() {}

  /// Throws [FieldException] at the first field that kube-scheduler would refuse.
  public static SchedulerConfiguration read(Tree tree) {
    var file = Fields.of(tree);
    checkKind(file);
    SchedulerConfigurationFields.check(tree);
    int burst = file.object("clientConnection").integer("burst", 100);
    check(file, "clientConnection.burst", burst >= 0, burst, "must be non-negative");
    int initial = file.integer("podInitialBackoffSeconds", 1);
    int longest = file.integer("podMaxBackoffSeconds", 10);
    var extenders = ExtenderReader.read(file);
    var configuration =
        new SchedulerConfiguration(
            file.integer("parallelism", 16),
            percentage(file),
            initial,
            longest,
            ExtenderReader.withoutIgnored(profiles(file), extenders),
            leaderElection(file),
            extenders);
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

  /// One line for each field of the file that is valid but changes nothing here.
  public static List<String> withoutEffect(Tree tree) {
    return SchedulerConfigurationFields.withoutEffect(tree);
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
    var names = new HashMap<String, Integer>();
    for (int i = 0; i < profiles.size(); i++) {
      var before = names.put(profiles.get(i).schedulerName(), i);
      if (before != null) {
        // As in Kubernetes: the duplicate is named by where it is.
        throw read.get(i)
            .wrong(
                "schedulerName", "Duplicate value: profiles[%d].schedulerName".formatted(before));
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
    return new SchedulerProfile(
        name, plugins(profile.object("plugins")), pluginConfig(profile), Set.of());
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

  private static List<PluginConfig> pluginConfig(Fields profile) {
    var names = new HashSet<String>();
    return profile.objects(
        "pluginConfig",
        config -> {
          var name = config.text("name");
          checkExists(config, name);
          if (!names.add(name)) {
            throw config.wrong("Duplicate value: \"" + name + "\"");
          }
          var args = config.object("args");
          var kind = args.textOr("kind", name + "Args");
          check(
              args,
              "kind",
              kind.equals(name + "Args") || !SchedulerConfigurationFields.takesArgs(name),
              "\"" + kind + "\"",
              "has to match plugin args");
          return new PluginConfig(name, args.tree().copy().freeze());
        });
  }

  private static void checkExists(Fields fields, String name) {
    if (REMOVED.contains(name)) {
      throw fields.wrong(
          "Invalid value: \"%s\": was invalid in version \"%s\" (KubeSchedulerConfiguration is version \"%s\")"
              .formatted(name, API_VERSION, API_VERSION));
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
    long lease = Durations.millis(election, "leaseDuration", defaults.leaseDurationMillis());
    long renew = Durations.millis(election, "renewDeadline", defaults.renewDeadlineMillis());
    long retry = Durations.millis(election, "retryPeriod", defaults.retryPeriodMillis());
    if (elect) {
      var zero = "must be greater than zero";
      check(election, "leaseDuration", lease > 0, seconds(lease), zero);
      check(election, "renewDeadline", renew > 0, seconds(renew), zero);
      check(election, "retryPeriod", retry > 0, seconds(retry), zero);
      check(
          election,
          "leaseDuration",
          lease > renew,
          seconds(renew),
          "must be greater than `RenewDeadline`");
    }
    return new LeaderElection(
        elect,
        lease,
        renew,
        retry,
        election.textOr("resourceNamespace", defaults.resourceNamespace()),
        election.textOr("resourceName", defaults.resourceName()));
  }

  private static String seconds(long millis) {
    return millis % 1000 == 0 ? "\"%ds\"".formatted(millis / 1000) : "\"%dms\"".formatted(millis);
  }

  static void check(Fields fields, String field, boolean valid, Object value, String problem) {
    if (!valid) {
      throw fields.wrong(field, "Invalid value: " + value + ": " + problem);
    }
  }
}
