package io.berth.placement.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Cluster.Selection;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.controllers.kubelet.NodeFleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VirtualClusterTest {

  private static final String WEB =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 6
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: topology.kubernetes.io/zone
              whenUnsatisfiable: ScheduleAnyway
              labelSelector: {matchLabels: {app: web}}
            containers:
            - {name: main, image: web, resources: {requests: {cpu: "1"}}}
      """;

  @Test
  void runsADeploymentToItsEnd() {
    try (var cluster = withNodes(6)) {
      cluster.apply(Yaml.read(WEB));
      cluster.rest();

      assertThat(running(cluster)).hasSize(6);
      assertThat(cluster.now()).isBefore("2026-01-05T00:00:30Z");
    }
  }

  @Test
  void moverOfTimeLosesAZone() {
    try (var cluster = withNodes(6)) {
      cluster.apply(Yaml.read(WEB));
      cluster.rest();
      var failed = Tree.of("metadata", Tree.of("annotations", Tree.of("berth.io/failure", "x")));
      for (var node : List.of("node-2", "node-5")) {
        cluster.call(api -> api.patch(Resource.NODES, "", node, null, PatchType.MERGE, failed));
      }
      cluster.pass(Duration.ofMinutes(1));
      cluster.rest();

      assertThat(running(cluster)).hasSize(6).doesNotContain("node-2", "node-5");
    }
  }

  @Test
  void repeatsToTheLetter() {
    assertThat(afterAZoneLoss()).isEqualTo(afterAZoneLoss());
  }

  @Test
  void leavesNoThreadBehind() {
    var before = Thread.getAllStackTraces().keySet();
    withNodes(3).close();

    assertThat(Thread.getAllStackTraces().keySet()).isSubsetOf(before);
  }

  private static String afterAZoneLoss() {
    try (var cluster = withNodes(6)) {
      cluster.apply(Yaml.read(WEB));
      cluster.rest();
      cluster.pass(Duration.ofMinutes(10));
      var all = new TreeMap<String, String>();
      for (var resource : cluster.api().builtIn()) {
        for (var object : cluster.api().list(resource, "", Selection.ALL).items()) {
          var key =
              object.textOrEmpty("metadata", "namespace") + object.textOrEmpty("metadata", "name");
          all.put(resource + key, Json.pretty(object));
        }
      }
      return all.values().toString();
    }
  }

  private static VirtualCluster withNodes(int count) {
    var cluster = VirtualCluster.start(VirtualCluster.Options.DEFAULT);
    for (var node : NodeFleet.plain(count).nodes()) {
      cluster.call(api -> api.create(Resource.NODES, node));
    }
    cluster.rest();
    return cluster;
  }

  private static List<String> running(VirtualCluster cluster) {
    var nodes = new ArrayList<String>();
    for (var pod : cluster.api().list(Resource.PODS, "", Selection.ALL).items()) {
      if (pod.at("metadata", "deletionTimestamp") == null
          && pod.textOrEmpty("status", "phase").equals("Running")) {
        nodes.add(pod.textOrEmpty("spec", "nodeName"));
      }
    }
    return nodes;
  }
}
