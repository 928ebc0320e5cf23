package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.explain.Explanations;
import io.berth.answers.explain.Explanations.Wish;
import io.berth.api.FeatureGates;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Answers of the engine beside a scheduler at work are those of somebody who reads the cluster
/// anew, whatever has happened in between.
class LiveAnswersTest {

  @TempDir Path folder;

  @Test
  void answersAsWhoReadsTheCluster() throws Exception {
    var options = options();
    try (var running = EmbeddedCluster.start(options);
        var cluster =
            new KubernetesCluster(Access.kubeconfig(options.kubeconfig(), ""), "test", Set.of())) {
      cluster.create(Resource.DEPLOYMENTS, deployment());
      compare(running, cluster);
      cluster.patch(
          Resource.NODES,
          "",
          "node-1",
          null,
          PatchType.MERGE,
          Tree.of("spec", Tree.of("unschedulable", true)));
      compare(running, cluster);
      var bound = cluster.list(Resource.PODS, "default", Selection.fields("spec.nodeName=node-2"));
      var first = bound.items().getFirst();
      cluster.delete(
          Resource.PODS,
          "default",
          first.textOrEmpty("metadata", "name"),
          DeleteOptions.now(first.textOrEmpty("metadata", "uid")));
      compare(running, cluster);
    }
  }

  /// Waits until the cluster is at rest, which it is when both say the same.
  private void compare(EmbeddedCluster running, KubernetesCluster cluster) throws Exception {
    Tree live = new Tree();
    Tree read = Tree.of("unequal", true);
    for (int i = 0; i < 500 && !live.equals(read); i++) {
      Thread.sleep(20);
      var waiting =
          cluster.list(Resource.PODS, "default", Selection.fields("spec.nodeName=")).items();
      if (!waiting.isEmpty()) {
        var pod = waiting.getFirst().textOrEmpty("metadata", "name");
        live = shown(asked(running, pod));
        read = shown(read(pod));
      }
    }
    assertThat(live).isEqualTo(read);
    assertThat(live.textOrEmpty("verdict")).isEqualTo("notNow");
  }

  private static Tree asked(EmbeddedCluster running, String name) throws InterruptedException {
    return running
        .live()
        .ask(moment -> {
          var pod = moment.survey().findPod("default", name).orElseThrow();
          return new Explanations(moment.survey(), moment.engine())
              .explain(pod, Wish.SUGGESTIONS)
              .toTree();
        });
  }

  private Tree read(String pod) {
    var config = folder.resolve("kubeconfig").toString();
    var out = new ByteArrayOutputStream();
    Main.cli()
        .run(
            List.of("explain", "pod", pod, "-o", "json", "--kubeconfig", config),
            new PrintStream(out, true),
            new PrintStream(OutputStream.nullOutputStream()));
    return Json.read(out.toString(StandardCharsets.UTF_8));
  }

  private static Tree shown(Tree answer) {
    return answer.put("revision", "");
  }

  private static Tree deployment() {
    return Yaml.read(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, namespace: default}
        spec:
          replicas: 9
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              topologySpreadConstraints:
              - {maxSkew: 2, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
                 labelSelector: {matchLabels: {app: web}}}
              containers:
              - {name: web, image: web, resources: {requests: {cpu: "1500m"}}}
        """);
  }

  private LocalCluster.Options options() {
    return new LocalCluster.Options(
        folder.resolve("cluster"),
        true,
        "127.0.0.1",
        Port.any(),
        folder.resolve("kubeconfig"),
        false,
        new LocalCluster.Simulation(3, null, 10),
        SchedulerSettings.DEFAULT,
        new LocalCluster.AdmissionOptions(List.of(), List.of("ServiceAccount"), false),
        Port.any(),
        LocalCluster.CredentialFiles.NONE,
        FeatureGates.DEFAULT);
  }
}
