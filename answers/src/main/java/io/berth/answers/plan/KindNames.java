package io.berth.answers.plan;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Kinds as users of kubectl write them.
final class KindNames {

  private static final Map<String, String> SHORT =
      Map.ofEntries(
          Map.entry("deploy", "Deployment"),
          Map.entry("deployment", "Deployment"),
          Map.entry("rs", "ReplicaSet"),
          Map.entry("replicaset", "ReplicaSet"),
          Map.entry("sts", "StatefulSet"),
          Map.entry("statefulset", "StatefulSet"),
          Map.entry("ds", "DaemonSet"),
          Map.entry("daemonset", "DaemonSet"),
          Map.entry("job", "Job"),
          Map.entry("cronjob", "CronJob"),
          Map.entry("rc", "ReplicationController"),
          Map.entry("replicationcontroller", "ReplicationController"),
          Map.entry("po", "Pod"),
          Map.entry("pod", "Pod"),
          Map.entry("no", "Node"),
          Map.entry("node", "Node"),
          Map.entry("pdb", "PodDisruptionBudget"),
          Map.entry("poddisruptionbudget", "PodDisruptionBudget"),
          Map.entry("pvc", "PersistentVolumeClaim"),
          Map.entry("persistentvolumeclaim", "PersistentVolumeClaim"),
          Map.entry("pv", "PersistentVolume"),
          Map.entry("persistentvolume", "PersistentVolume"),
          Map.entry("ns", "Namespace"),
          Map.entry("namespace", "Namespace"),
          Map.entry("svc", "Service"),
          Map.entry("service", "Service"));

  private static final Set<String> OF_THE_CLUSTER =
      Set.of("Node", "PersistentVolume", "Namespace", "StorageClass", "CSINode", "CSIDriver");

  private KindNames() {}

  /// `deploy`, `deployments` and `Deployment` are `Deployment`; what is unknown stays as it is.
  static String named(String word) {
    var low = word.toLowerCase(Locale.ROOT);
    var one = low.endsWith("s") ? SHORT.get(low.substring(0, low.length() - 1)) : null;
    return SHORT.getOrDefault(low, one == null ? word : one);
  }

  static boolean isNamespaced(String kind) {
    return !OF_THE_CLUSTER.contains(kind);
  }
}
