package io.berth.codec;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The fields that a `KubeSchedulerConfiguration` may have: others are refused, as in
/// kube-scheduler, and those that change nothing here are named once.
final class SchedulerConfigurationFields {

  /// Holds anything: checked by whoever reads it.
  private static final Map<String, Object> ANY = new HashMap<>();

  private static final Map<String, Object> PLUGIN_SET =
      object("enabled", object("name", "weight"), "disabled", object("name", "weight"));
  private static final Map<String, Object> WEIGHTS = object("name", "weight");
  private static final Map<String, Object> SHAPE = object("utilization", "score");

  private static final Map<String, Map<String, Object>> ARGS =
      Map.of(
          "DefaultPreemption",
          args("minCandidateNodesPercentage", "minCandidateNodesAbsolute"),
          "InterPodAffinity",
          args("hardPodAffinityWeight", "ignorePreferredTermsOfExistingPods"),
          "NodeAffinity",
          args("addedAffinity"),
          "NodeResourcesBalancedAllocation",
          args("resources", WEIGHTS),
          "NodeResourcesFit",
          args(
              "ignoredResources",
              "ignoredResourceGroups",
              "scoringStrategy",
              object(
                  "type",
                  "resources",
                  WEIGHTS,
                  "requestedToCapacityRatio",
                  object("shape", SHAPE))),
          "PodTopologySpread",
          args("defaultConstraints", "defaultingType"),
          "VolumeBinding",
          args("bindTimeoutSeconds", "shape", SHAPE),
          "DynamicResources",
          args("filterTimeout", "bindingTimeout"));

  private static final Map<String, Object> EXTENDER =
      object(
          "urlPrefix",
          "filterVerb",
          "preemptVerb",
          "prioritizeVerb",
          "weight",
          "bindVerb",
          "enableHTTPS",
          "tlsConfig",
          object(
              "insecure",
              "serverName",
              "certFile",
              "keyFile",
              "caFile",
              "certData",
              "keyData",
              "caData"),
          "httpTimeout",
          "nodeCacheCapable",
          "managedResources",
          object("name", "ignoredByScheduler"),
          "ignorable");

  private static final Map<String, Object> CONFIGURATION =
      object(
          "apiVersion",
          "kind",
          "parallelism",
          "leaderElection",
          object(
              "leaderElect",
              "leaseDuration",
              "renewDeadline",
              "retryPeriod",
              "resourceLock",
              "resourceName",
              "resourceNamespace"),
          "clientConnection",
          object("kubeconfig", "acceptContentTypes", "contentType", "qps", "burst"),
          "enableProfiling",
          "enableContentionProfiling",
          "percentageOfNodesToScore",
          "podInitialBackoffSeconds",
          "podMaxBackoffSeconds",
          "profiles",
          object(
              "schedulerName",
              "percentageOfNodesToScore",
              "plugins",
              points(),
              "pluginConfig",
              object("name", "args")),
          "extenders",
          EXTENDER,
          "delayCacheUntilActive");

  /// Field → why it changes nothing.
  private static final Map<String, String> WITHOUT_EFFECT = withoutEffect();

  private SchedulerConfigurationFields() {}

  /// Throws [FieldException] at the first field that kube-scheduler does not know.
  static void check(Tree tree) {
    check(tree, CONFIGURATION, "");
    var profiles = tree.trees("profiles");
    for (int i = 0; i < profiles.size(); i++) {
      var configs = profiles.get(i).trees("pluginConfig");
      for (int j = 0; j < configs.size(); j++) {
        var known = ARGS.get(configs.get(j).textOrEmpty("name"));
        if (known != null && configs.get(j).get("args") instanceof Tree args) {
          check(args, known, "profiles[%d].pluginConfig[%d].args".formatted(i, j));
        }
      }
    }
  }

  /// Whether it is a plugin of Kubernetes that has arguments.
  static boolean takesArgs(String plugin) {
    return ARGS.containsKey(plugin);
  }

  /// One line for each field that is set but changes nothing.
  static List<String> withoutEffect(Tree tree) {
    var lines = new ArrayList<String>();
    WITHOUT_EFFECT.forEach((field, why) -> {
      if (tree.at(field.split("\\.", -1)) != null) {
        lines.add("%s has no effect: %s".formatted(field, why));
      }
    });
    for (int i = 0; i < tree.trees("profiles").size(); i++) {
      if (tree.trees("profiles").get(i).get("percentageOfNodesToScore") != null) {
        lines.add(
            "profiles[%d].percentageOfNodesToScore has no effect: every node is considered"
                .formatted(i));
      }
    }
    return lines;
  }

  /// Every field with its path, `[]` for elements of lists; for the reference.
  static SortedSet<String> all() {
    var paths = new TreeSet<String>();
    collect(CONFIGURATION, "", paths);
    ARGS.forEach((plugin, fields) -> collect(fields, plugin + "Args.", paths));
    paths.removeIf(path -> path.endsWith("apiVersion") || path.endsWith("kind"));
    return paths;
  }

  private static void collect(Map<String, Object> fields, String prefix, Set<String> paths) {
    for (var field : fields.keySet()) {
      var below = child(fields, field);
      if (below.isEmpty()) {
        paths.add(prefix + field);
      } else if (!below.equals(PLUGIN_SET)) {
        collect(below, prefix + field + ".", paths);
      } else {
        paths.add(prefix + field);
      }
    }
  }

  private static void check(@Nullable Object value, Map<String, Object> known, String path) {
    if (known.isEmpty()) {
      return;
    }
    if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        check(list.get(i), known, path + "[" + i + "]");
      }
    } else if (value instanceof Tree tree) {
      for (var field : tree.fields().entrySet()) {
        var at = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
        if (!known.containsKey(field.getKey())) {
          throw new FieldException(at, "strict decoding error: unknown field \"" + at + "\"");
        }
        check(field.getValue(), child(known, field.getKey()), at);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> child(Map<String, Object> known, String field) {
    return (Map<String, Object>) java.util.Objects.requireNonNull(known.get(field));
  }

  /// Names of fields, each with the fields below it where those are checked here too.
  private static Map<String, Object> object(Object... names) {
    var object = new HashMap<String, Object>();
    for (int i = 0; i < names.length; i++) {
      boolean nested = i + 1 < names.length && names[i + 1] instanceof Map<?, ?>;
      object.put((String) names[i], nested ? names[++i] : ANY);
    }
    return object;
  }

  private static Map<String, Object> args(Object... names) {
    var object = object(names);
    object.put("apiVersion", ANY);
    object.put("kind", ANY);
    return object;
  }

  private static Map<String, Object> points() {
    var points = new HashMap<String, Object>();
    for (var point : SchedulerConfigurationReader.POINTS) {
      points.put(point, PLUGIN_SET);
    }
    return points;
  }

  private static Map<String, String> withoutEffect() {
    var fields = new LinkedHashMap<String, String>();
    fields.put("parallelism", "decisions are made by one thread");
    fields.put("percentageOfNodesToScore", "every node is considered");
    fields.put("clientConnection.kubeconfig", "the cluster is named by --kubeconfig");
    fields.put("clientConnection.acceptContentTypes", "the client chooses what it reads best");
    fields.put("clientConnection.contentType", "the client chooses what it writes best");
    fields.put("clientConnection.qps", "binds in flight are limited instead");
    fields.put("clientConnection.burst", "binds in flight are limited instead");
    fields.put("enableProfiling", "profile with the tools of the JVM");
    fields.put("enableContentionProfiling", "profile with the tools of the JVM");
    fields.put("delayCacheUntilActive", "a standby always follows the cluster");
    return fields;
  }
}
