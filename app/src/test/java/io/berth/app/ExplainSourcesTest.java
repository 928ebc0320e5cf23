package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FeatureGates;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.codec.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One pod, explained from a running cluster, its folder after it has stopped, and a snapshot: the
/// answer is the same, and that of the cluster's own configuration.
class ExplainSourcesTest {

  private static final String CONFIGURATION =
      """
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: KubeSchedulerConfiguration
      profiles:
      - schedulerName: default-scheduler
        pluginConfig:
        - name: NodeAffinity
          args:
            addedAffinity:
              requiredDuringSchedulingIgnoredDuringExecution:
                nodeSelectorTerms:
                - matchExpressions: [{key: team, operator: Exists}]
      """;

  @TempDir Path folder;

  @Test
  void sourcesAgree() throws Exception {
    var configuration = Files.writeString(folder.resolve("scheduler.yaml"), CONFIGURATION);
    var options = options(configuration);
    var snapshot = folder.resolve("cluster.berth");
    Tree live;
    try (var _ = EmbeddedCluster.start(options)) {
      createPod(options.kubeconfig());
      live = explain("--kubeconfig", options.kubeconfig().toString());
      new MachineSnapshots().save(options.kubeconfig(), snapshot);
    }
    var config = configuration.toString();
    var stopped = explain("--data", options.folder().toString(), "--scheduler-config", config);
    var saved = explain("--snapshot", snapshot.toString(), "--scheduler-config", config);

    assertThat(live.text("verdict")).isEqualTo("never");
    assertThat(live.flag("complete")).isTrue();
    assertThat(live.trees("causes"))
        .anySatisfy(
            cause -> assertThat(cause.text("source", "profile")).isEqualTo("default-scheduler"));
    assertThat(live.trees("suggestions"))
        .anySatisfy(each -> assertThat(each.text("what")).startsWith("label "));
    for (var other : List.of(stopped, saved)) {
      assertThat(other.get("causes")).isEqualTo(live.get("causes"));
      assertThat(other.get("suggestions")).isEqualTo(live.get("suggestions"));
    }
  }

  private LocalCluster.Options options(Path configuration) {
    return new LocalCluster.Options(
        folder.resolve("cluster"),
        false,
        "127.0.0.1",
        Port.any(),
        folder.resolve("kubeconfig"),
        false,
        new LocalCluster.Simulation(2, null, 10),
        SchedulerSettings.of(configuration, UnaryOperator.identity()),
        new LocalCluster.AdmissionOptions(List.of(), List.of("ServiceAccount"), false),
        Port.any(),
        LocalCluster.CredentialFiles.NONE,
        FeatureGates.DEFAULT);
  }

  private static void createPod(Path kubeconfig) {
    var container = Tree.of("name", "app", "image", "example/app:1");
    var spec = Tree.of("containers", List.of(container));
    spec.put("nodeSelector", Tree.of("team", "red"));
    try (var cluster = new KubernetesCluster(Access.kubeconfig(kubeconfig, ""), "test", Set.of())) {
      cluster.create(
          Resource.PODS,
          Tree.of("apiVersion", "v1", "kind", "Pod")
              .put("metadata", Tree.of("namespace", "default", "name", "web"))
              .put("spec", spec));
    }
  }

  private static Tree explain(String... source) {
    var line = new ArrayList<>(List.of("explain", "pod", "web", "-o", "json"));
    line.addAll(List.of(source));
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int code = Main.cli().run(line, new PrintStream(out, true), new PrintStream(err, true));
    assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(1);
    return Json.read(out.toString(StandardCharsets.UTF_8));
  }
}
