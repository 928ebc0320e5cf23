package io.berth.app;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.ClusterScheduler;
import io.berth.cli.ClusterScheduler.Mode;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.KubernetesCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/// Has `berth scheduler` bind pods of all kinds on a cluster of this process, over HTTPS.
final class SchedulingRehearsal {

  private static final String NAME = "rehearsal";
  private static final String NAMESPACE = "default";
  private static final int NODES = 30;
  private static final int ROUNDS = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Path kubeconfig;

  SchedulingRehearsal(Path kubeconfig) {
    this.kubeconfig = kubeconfig;
  }

  void run() throws InterruptedException {
    try (var cluster = new KubernetesCluster(Access.kubeconfig(kubeconfig, ""), NAME, Set.of());
        var _ = new RealClusterScheduler(InstantSource.system()).start(options())) {
      for (int i = 0; i < NODES; i++) {
        cluster.create(Resource.NODES, node(i));
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (var kind : List.of("plain", "affinity", "apart", "spread", "large")) {
          cluster.create(Resource.PODS, pod(kind, round));
        }
      }
      awaitBinds(cluster);
    }
  }

  private ClusterScheduler.Options options() {
    var settings =
        SchedulerSettings.of(
            null, configuration -> configuration.withSchedulerName(NAME).withLeaderElection(false));
    return new ClusterScheduler.Options(kubeconfig, "", settings, Mode.BIND, "127.0.0.1", 0, null);
  }

  // Pods of one kind never fit, and some of another may not: all others are enough.
  private static void awaitBinds(KubernetesCluster cluster) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      var bound = cluster.list(Resource.PODS, NAMESPACE, Selection.fields("spec.nodeName!="));
      if (bound.items().size() >= 3 * ROUNDS) {
        return;
      }
      Thread.sleep(100);
    }
  }

  private static Tree node(int number) {
    var amounts = Tree.of("cpu", "16", "memory", "64Gi", "pods", "110");
    var labels =
        Tree.of(
            "kubernetes.io/hostname",
            NAME + number,
            "topology.kubernetes.io/zone",
            "z" + number % 3);
    return Tree.of("apiVersion", "v1", "kind", "Node")
        .put("metadata", Tree.of("name", NAME + number, "labels", labels))
        .put("status", Tree.of("capacity", amounts, "allocatable", amounts.copy()));
  }

  private static Tree pod(String kind, int round) {
    var cpu = kind.equals("large") ? "100" : "100m";
    var container =
        Tree.of("name", "c", "image", "example/app:1")
            .put("resources", Tree.of("requests", Tree.of("cpu", cpu, "memory", "64Mi")));
    var toleration = Tree.of("operator", "Exists");
    var spec =
        Tree.of("schedulerName", NAME, "containers", List.of(container))
            .put("tolerations", List.of(toleration));
    addRules(spec, kind);
    return Tree.of("apiVersion", "v1", "kind", "Pod")
        .put("metadata", Tree.of("namespace", NAMESPACE, "name", kind + "-" + round))
        .putAt(kind, "metadata", "labels", "kind")
        .put("spec", spec);
  }

  private static void addRules(Tree spec, String kind) {
    var selector = Tree.of("matchLabels", Tree.of("kind", kind));
    switch (kind) {
      case "affinity" -> spec.put("affinity", required("podAffinity", selector, "zone"));
      case "apart" -> spec.put("affinity", required("podAntiAffinity", selector, "hostname"));
      case "spread" -> {
        var constraint =
            Tree.of("maxSkew", 1, "topologyKey", "topology.kubernetes.io/zone")
                .put("whenUnsatisfiable", "DoNotSchedule")
                .put("labelSelector", selector);
        spec.put("topologySpreadConstraints", List.of(constraint));
      }
      default -> {}
    }
  }

  private static Tree required(String rule, Tree selector, String key) {
    var topology = key.equals("zone") ? "topology.kubernetes.io/zone" : "kubernetes.io/hostname";
    var term = Tree.of("labelSelector", selector, "topologyKey", topology);
    return Tree.of(rule, Tree.of("requiredDuringSchedulingIgnoredDuringExecution", List.of(term)));
  }
}
