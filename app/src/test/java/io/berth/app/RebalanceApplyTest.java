package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FeatureGates;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth rebalance --apply` on `berth up` ends where its plan said, and what the scheduler did
/// meanwhile is in the journal of `berth up --journal`.
class RebalanceApplyTest {

  private static final String ZONE = "topology.kubernetes.io/zone";

  @TempDir Path folder;

  @Test
  void endsWhereThePlanSaid() throws Exception {
    var options = options();
    try (var _ = EmbeddedCluster.start(options);
        var cluster =
            new KubernetesCluster(Access.kubeconfig(options.kubeconfig(), ""), "test", Set.of())) {
      node(cluster, "n-a", "a");
      node(cluster, "n-b", "b");
      cordon(cluster, true);
      cluster.create(Resource.DEPLOYMENTS, deployment());
      await(cluster, Map.of("n-a", 4));
      cordon(cluster, false);

      var plan =
          Json.read(berth(0, "rebalance", "--apply", "-o", "json", "--kubeconfig", config()));

      assertThat(plan.trees("moves"))
          .extracting(move -> move.text("from") + " " + move.text("to"))
          .containsExactly("n-a n-b", "n-a n-b");
      assertThat(places(cluster)).isEqualTo(Map.of("n-a", 2, "n-b", 2));
      assertThat(
              Json.read(berth(0, "rebalance", "-o", "json", "--kubeconfig", config()))
                  .list("moves"))
          .isEmpty();
    }
    assertThat(replayed())
        .contains("0 differ")
        .containsPattern("\\d+ default/web-.*: node n-a of 1\n")
        .containsPattern("  n-b \\d+ = .*PodTopologySpread \\d+");
  }

  private String replayed() throws Exception {
    try (var files = Files.list(folder.resolve("journal"))) {
      return berth(0, "replay", files.findFirst().orElseThrow().toString(), "--verbose");
    }
  }

  private String config() {
    return folder.resolve("kubeconfig").toString();
  }

  private static String berth(int expected, String... line) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int code =
        Main.cli().run(List.of(line), new PrintStream(out, true), new PrintStream(err, true));
    assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(expected);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static void node(Cluster cluster, String name, String zone) {
    cluster.create(
        Resource.NODES,
        Yaml.read(
            """
            {kind: Node, apiVersion: v1, metadata: {name: %s, labels: {%s: %s}},
             status: {allocatable: {cpu: "8", memory: 8Gi, pods: "20"},
               conditions: [{type: Ready, status: "True"}]}}
            """
                .formatted(name, ZONE, zone)));
  }

  private static void cordon(Cluster cluster, boolean closed) {
    cluster.patch(
        Resource.NODES,
        "",
        "n-b",
        null,
        PatchType.MERGE,
        Tree.of("spec", Tree.of("unschedulable", closed)));
  }

  private static Tree deployment() {
    return Yaml.read(
        """
        {kind: Deployment, apiVersion: apps/v1, metadata: {namespace: default, name: web},
         spec: {replicas: 4, selector: {matchLabels: {app: web}}, template: {
           metadata: {labels: {app: web}}, spec: {
             topologySpreadConstraints: [{maxSkew: 1, topologyKey: %s, whenUnsatisfiable: ScheduleAnyway,
               labelSelector: {matchLabels: {app: web}}}],
             containers: [{name: c, image: x, resources: {requests: {cpu: 500m}}}]}}}}
        """
            .formatted(ZONE));
  }

  private static void await(Cluster cluster, Map<String, Integer> expected)
      throws InterruptedException {
    for (int i = 0; i < 3000 && !places(cluster).equals(expected); i++) {
      Thread.sleep(20);
    }
    assertThat(places(cluster)).isEqualTo(expected);
  }

  private static Map<String, Integer> places(Cluster cluster) {
    var counts = new TreeMap<String, Integer>();
    for (var pod : cluster.list(Resource.PODS, "default", Selection.ALL).items()) {
      if (pod.text("metadata", "deletionTimestamp") == null) {
        counts.merge(pod.textOrEmpty("spec", "nodeName"), 1, Integer::sum);
      }
    }
    return counts;
  }

  private LocalCluster.Options options() {
    return new LocalCluster.Options(
        folder.resolve("cluster"),
        true,
        "127.0.0.1",
        Port.any(),
        folder.resolve("kubeconfig"),
        false,
        new LocalCluster.Simulation(0, null, 10),
        SchedulerSettings.DEFAULT.recordedIn(folder.resolve("journal")),
        new LocalCluster.AdmissionOptions(List.of(), List.of("ServiceAccount"), false),
        Port.any(),
        LocalCluster.CredentialFiles.NONE,
        FeatureGates.DEFAULT);
  }
}
