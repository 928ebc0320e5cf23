package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.answers.plan.Chronicle;
import io.berth.answers.plan.NodeChoice;
import io.berth.answers.plan.PlanStep;
import io.berth.answers.plan.WhatIf;
import io.berth.api.FeatureGates;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.codec.Yaml;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth plan --lose zone=b` says what `berth zone fail b` then does, on clusters drawn by a seed
/// whose nodes all differ.
///
/// `-Dberth.losses=3 -Dberth.seed=7` loses so many zones, each for a minute or two: Kubernetes
/// takes its time before it gives up nodes.
class ZoneLossTest {

  private static final int LOSSES = Integer.getInteger("berth.losses", 0);
  private static final long SEED = Long.getLong("berth.seed", 1);
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final List<PlanStep> LOSS =
      List.of(new PlanStep.Lose(new NodeChoice("", Map.of(ZONE, "b"))));

  /// Seconds for which nothing may change before the cluster counts as at rest.
  private static final int QUIET = 45;

  @TempDir Path folder;

  @Test
  void whatIsForeseenHappens() throws Exception {
    assumeTrue(LOSSES > 0, "set -Dberth.losses");
    for (long seed = SEED; seed < SEED + LOSSES; seed++) {
      var options = options(seed);
      try (var running = EmbeddedCluster.start(options);
          var cluster =
              new KubernetesCluster(Access.kubeconfig(options.kubeconfig(), ""), "t", Set.of())) {
        check(seed, running, cluster, options.kubeconfig());
      }
    }
  }

  private static void check(long seed, EmbeddedCluster running, Cluster cluster, Path kubeconfig)
      throws Exception {
    fill(cluster, new Random(seed));
    rest(cluster, 2);
    var foreseen = foreseen(running);
    int code =
        Main.cli()
            .run(
                List.of("zone", "fail", "b", "--kubeconfig", kubeconfig.toString()),
                System.out,
                System.err);
    assertThat(code).isZero();
    var before = places(cluster);
    while (places(cluster).equals(before)) {
      Thread.sleep(500);
    }
    rest(cluster, QUIET);
    assertThat(places(cluster)).as("seed %d", seed).isEqualTo(foreseen);
  }

  private static void fill(Cluster cluster, Random random) {
    int number = 0;
    for (var zone : List.of("a", "b", "c")) {
      for (int i = 0; i < 2; i++) {
        number++;
        cluster.create(
            Resource.NODES,
            Yaml.read(
                """
                {kind: Node, apiVersion: v1, metadata: {name: n-%1$s-%2$d, labels: {
                   kubernetes.io/hostname: n-%1$s-%2$d, %3$s: %1$s}},
                 status: {capacity: {cpu: "%4$s", memory: "%5$sGi", pods: "40"},
                   allocatable: {cpu: "%4$s", memory: "%5$sGi", pods: "40"},
                   conditions: [{type: Ready, status: "True"}]}}
                """
                    .formatted(zone, i, ZONE, 4 + number, 11 + 3 * number)));
      }
    }
    for (int i = 0; i < 4; i++) {
      cluster.create(Resource.DEPLOYMENTS, deployment(i, random));
    }
  }

  private static Tree deployment(int number, Random random) {
    var spread =
        random.nextBoolean()
            ? """
            topologySpreadConstraints: [{maxSkew: 1, topologyKey: %s, whenUnsatisfiable: DoNotSchedule,
              labelSelector: {matchLabels: {app: d%d}}}],
            """
                .formatted(ZONE, number)
            : "";
    return Yaml.read(
        """
        {kind: Deployment, apiVersion: apps/v1, metadata: {namespace: default, name: d%1$d},
         spec: {replicas: %2$d, selector: {matchLabels: {app: d%1$d}}, template: {
           metadata: {labels: {app: d%1$d}}, spec: {%3$s
             tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 0}],
             containers: [{name: c, image: x, resources: {requests: {cpu: %4$dm, memory: %5$dMi}}}]}}}}
        """
            .formatted(
                number,
                2 + random.nextInt(5),
                spread,
                310 + 170 * random.nextInt(8),
                230 + 190 * random.nextInt(8)));
  }

  /// How many pods of each owner are where, as the plan sees it.
  private static Map<String, Integer> foreseen(EmbeddedCluster running)
      throws InterruptedException {
    return running
        .live()
        .ask(moment -> {
          var forecast = new WhatIf(moment.survey(), moment.engine(), Chronicle.NONE).after(LOSS);
          var counts = new TreeMap<String, Integer>();
          forecast
              .places()
              .forEach((pod, node) -> counts.merge(app(pod) + " " + node, 1, Integer::sum));
          forecast.pending().forEach(pod -> counts.merge(app(pod.pod()) + " ", 1, Integer::sum));
          return counts;
        });
  }

  private static Map<String, Integer> places(Cluster cluster) {
    var counts = new TreeMap<String, Integer>();
    for (var pod : cluster.list(Resource.PODS, "default", Selection.ALL).items()) {
      if (pod.text("metadata", "deletionTimestamp") == null) {
        var name = "default/" + pod.textOrEmpty("metadata", "name");
        counts.merge(app(name) + " " + pod.textOrEmpty("spec", "nodeName"), 1, Integer::sum);
      }
    }
    return counts;
  }

  private static String app(String pod) {
    return pod.substring(pod.indexOf('/') + 1, pod.indexOf('-'));
  }

  /// Waits until nothing has changed for so many seconds.
  private static void rest(Cluster cluster, int seconds) throws InterruptedException {
    var last = places(cluster);
    for (int quiet = 0; quiet < seconds * 2; quiet++) {
      Thread.sleep(500);
      var now = places(cluster);
      quiet = now.equals(last) ? quiet : 0;
      last = now;
    }
  }

  private LocalCluster.Options options(long seed) {
    return new LocalCluster.Options(
        folder.resolve("cluster-" + seed),
        true,
        "127.0.0.1",
        Port.any(),
        folder.resolve("kubeconfig-" + seed),
        false,
        new LocalCluster.Simulation(0, null, 10),
        SchedulerSettings.DEFAULT,
        new LocalCluster.AdmissionOptions(List.of(), List.of("ServiceAccount"), false),
        Port.any(),
        LocalCluster.CredentialFiles.NONE,
        FeatureGates.DEFAULT);
  }
}
