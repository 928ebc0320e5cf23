package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.admission.AdmissionChain;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.ClusterScheduler.Mode;
import io.berth.cli.ClusterScheduler.Options;
import io.berth.cli.LocalCluster.Simulation;
import io.berth.cli.RuleJars;
import io.berth.cli.SchedulerSettings;
import io.berth.cli.UserError;
import io.berth.cluster.Cluster;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rules of one's own in jars, as the guide makes them, in `berth up` and in `berth scheduler`.
class RuleJarsTest {

  private static final String CONFIGURATION =
      """
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: KubeSchedulerConfiguration
      leaderElection: {leaderElect: false}
      profiles:
      - schedulerName: default-scheduler
        plugins:
          multiPoint:
            enabled: [{name: LicensedNodes}, {name: LabelScore, weight: 50}]
        pluginConfig:
        - name: LabelScore
          args: {label: example.com/speed}
      """;

  @TempDir Path folder;

  private SchedulerSettings settings(String configuration) throws IOException {
    RuleJar.write(folder.resolve("rules"), "a.jar", "LicensedNodesProvider", "LabelScoreProvider");
    return SchedulerSettings.of(
        Files.writeString(folder.resolve("scheduler.yaml"), configuration),
        UnaryOperator.identity(),
        RuleJars.load(folder.resolve("rules")));
  }

  @Test
  void decideInBerthScheduler() throws Exception {
    try (var server = new WiredServer()) {
      server.node("slow", "4", Map.of());
      server.node("fast", "4", Map.of("example.com/speed", "90"));
      server.node("licensed", "4", Map.of("example.com/license", "cad"));
      var options =
          new Options(
              server.kubeconfig(folder, server.port()),
              "",
              settings(CONFIGURATION),
              Mode.BIND,
              "127.0.0.1",
              0,
              null);
      try (var _ = new RealClusterScheduler(InstantSource.system()).start(options)) {
        assertPlaced(server.admin());
      }
    }
  }

  @Test
  void decideInBerthUp() throws Exception {
    var authority = Authority.open(null);
    try (var store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
        var server =
            new ApiServer(
                store, authority, AdmissionChain.of(List.of(), List.of()), ServerSettings.plain());
        var _ =
            new Components(
                server.registry(),
                authority,
                new Simulation(0, null, 1),
                settings(CONFIGURATION))) {
      var admin = new InProcessCluster(server.registry(), "admin", InstantSource.system());
      node(admin, "slow", "{}");
      node(admin, "fast", "{example.com/speed: '90'}");
      node(admin, "licensed", "{example.com/license: cad}");
      assertPlaced(admin);
    }
  }

  private static void assertPlaced(Cluster cluster) throws InterruptedException {
    try (var log = new PodLog(cluster, "4")) {
      pod(cluster, "draws", "{example.com/license: cad}");
      pod(cluster, "runs", "{}");
      log.await("binds", pods -> PodLog.isBound(pods, "draws") && PodLog.isBound(pods, "runs"));
    }
    assertThat(nodeOf(cluster, "draws")).isEqualTo("licensed");
    assertThat(nodeOf(cluster, "runs")).isEqualTo("fast");
  }

  private static String nodeOf(Cluster cluster, String pod) {
    return cluster.fetch(Resource.PODS, "default", pod).textOrEmpty("spec", "nodeName");
  }

  private static void node(Cluster cluster, String name, String labels) {
    cluster.create(
        Resource.NODES,
        read(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s, labels: %s}
            status:
              capacity: {cpu: "4", memory: 8Gi, pods: "10"}
              allocatable: {cpu: "4", memory: 8Gi, pods: "10"}
            """
                .formatted(name, labels)));
  }

  private static void pod(Cluster cluster, String name, String labels) {
    cluster.create(
        Resource.PODS,
        read(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default, labels: %s}
            spec: {containers: [{name: c, image: none}]}
            """
                .formatted(name, labels)));
  }

  private static Tree read(String yaml) {
    return Yaml.read(yaml);
  }

  @Test
  void aConfigurationThatCannotBeFollowedIsRefused() {
    assertThatThrownBy(() -> settings(CONFIGURATION.replace("LicensedNodes", "NoSuchRule")))
        .isInstanceOf(UserError.class)
        .hasMessageContainingAll(
            "scheduler.yaml", "enables plugin NoSuchRule", "LabelScore, LicensedNodes");
    assertThatThrownBy(() -> settings(CONFIGURATION.replace("label:", "lable:")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("profile default-scheduler, rule LabelScore: label: Required value");
  }

  @Test
  void aRuleThatNobodyEnablesIsNoted() throws IOException {
    assertThat(settings(CONFIGURATION.replace("{name: LicensedNodes}, ", "")).notes())
        .contains("rule LicensedNodes is enabled by no profile");
  }

  @Test
  void aFolderOfNoUseIsRefused() throws IOException {
    assertRefused("no such folder");
    var rules = Files.createDirectories(folder.resolve("rules"));
    assertRefused("no jars there");
    Files.writeString(rules.resolve("b.jar"), "no jar");
    assertRefused("b.jar: cannot be read: ");
    Files.delete(rules.resolve("b.jar"));
    RuleJar.write(rules, "a.jar");
    assertRefused("no jar there has a META-INF/services/io.berth.engine.rule.RuleProvider");
    RuleJar.write(rules, "a.jar", "NoSuchProvider");
    assertRefused("io.berth.engine.example.NoSuchProvider not found");
  }

  private void assertRefused(String part) {
    assertThatThrownBy(() -> RuleJars.load(folder.resolve("rules")))
        .isInstanceOf(UserError.class)
        .hasMessageContainingAll(folder.resolve("rules").toString(), part);
  }
}
