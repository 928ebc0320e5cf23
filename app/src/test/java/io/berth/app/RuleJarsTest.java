package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.Cli;
import io.berth.cli.ClusterScheduler;
import io.berth.cli.Command;
import io.berth.cli.LocalCluster;
import io.berth.cli.Scheduler;
import io.berth.cli.Up;
import io.berth.cluster.Cluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rules of one's own in jars, as the guide makes them, on every command that takes `--rules`.
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
            enabled: [{name: LicensedNodes}, {name: LabelledFirst, weight: 50}]
        pluginConfig:
        - name: LabelledFirst
          args: {label: example.com/speed}
      """;

  private static final Map<String, Map<String, String>> NODES =
      Map.of(
          "slow-1", Map.of(),
          "fast-1", Map.of("example.com/speed", "90"),
          "licensed-1", Map.of("example.com/license", "cad"));

  @TempDir private static Path classes = Path.of("");
  private static @Nullable RuleJar compiled;

  @TempDir private Path folder = Path.of("");
  private Path rules = folder;
  private Path configuration = folder;

  @BeforeAll
  static void compile() {
    compiled = new RuleJar(classes);
  }

  @BeforeEach
  void write() throws IOException {
    rules = folder.resolve("rules");
    configuration = configuration(CONFIGURATION);
    jar("LicensedNodesProvider", "LabelledFirstProvider");
  }

  private void jar(String... providers) throws IOException {
    Objects.requireNonNull(compiled).write(rules.resolve("a.jar"), providers);
  }

  private Path configuration(String text) throws IOException {
    return Files.writeString(folder.resolve("scheduler.yaml"), text);
  }

  @Test
  void decideInBerthUp() throws IOException {
    var up = new Up(new WatchedCluster(folder.resolve("cluster")));

    assertThat(run(up, upCommand("--fleet", fleet().toString()))).startsWith("0: ");
  }

  private String[] upCommand(String... more) {
    var command =
        List.of(
            "up",
            "--in-memory",
            "--port",
            "0",
            "--disable-admission-plugins",
            "ServiceAccount",
            "--rules",
            rules.toString(),
            "--scheduler-config",
            configuration.toString());
    return Stream.concat(command.stream(), List.of(more).stream()).toArray(String[]::new);
  }

  private Path fleet() throws IOException {
    var text = new StringBuilder();
    NODES.forEach((name, labels) ->
        text.append("---\napiVersion: berth.io/v1alpha1\nkind: NodeFleet\n")
            .append("metadata: {name: %s}\n".formatted(name.replace("-1", "")))
            .append("spec:\n  count: 1\n  capacity: {cpu: 4, memory: 8Gi}\n  labels:\n")
            .append("    example.com/fleet: yes-it-is\n")
            .append(lines(labels)));
    return Files.writeString(folder.resolve("fleet.yaml"), text);
  }

  private static String lines(Map<String, String> labels) {
    var lines = new StringBuilder();
    labels.forEach((key, value) -> lines.append("    %s: \"%s\"\n".formatted(key, value)));
    return lines.toString();
  }

  @Test
  void decideInBerthSchedulerAndInReplaysOfItsJournal() throws Exception {
    var journal = folder.resolve("journal");
    try (var server = new WiredServer()) {
      NODES.forEach((name, labels) -> server.node(name, "4", labels));
      var scheduler = new Scheduler(new WatchedScheduler(server.admin()), Map.of());

      var said =
          run(
              scheduler,
              "scheduler",
              "--kubeconfig",
              server.kubeconfig(folder, server.port()).toString(),
              "--secure-port",
              "0",
              "--journal",
              journal.toString(),
              "--rules",
              rules.toString(),
              "--config",
              configuration.toString());
      assertThat(said).isEqualTo("0: ");
    }

    var file = journal.resolve("journal-000001.jsonl").toString();
    assertThat(replay(file, "--rules", rules.toString()))
        .matches("0: [1-9]\\d* decisions, 0 differ, 0 ties fell otherwise\n");
    assertThat(replay(file)).startsWith("2: ").contains("enables plugin LabelledFirst");
  }

  private static String replay(String... arguments) {
    var line = new ArrayList<>(List.of("replay"));
    line.addAll(List.of(arguments));
    return run(Main.cli(), line);
  }

  /// The licensed node for who needs it, and the fast one for who does not care.
  private static void assertPlaced(Cluster cluster) throws InterruptedException {
    try (var log = new PodLog(cluster, "4")) {
      // The scheduler knows a node for sure when it has put a pod there.
      NODES.keySet().forEach(node -> pod(cluster, "on-" + node, Map.of(), node));
      log.await("a pod on each", pods -> NODES.keySet().stream().allMatch(isBound(pods)));
      pod(cluster, "draws", Map.of("example.com/license", "cad"), null);
      pod(cluster, "runs", Map.of(), null);
      log.await("binds", pods -> PodLog.isBound(pods, "draws") && PodLog.isBound(pods, "runs"));
    }
    assertThat(nodeOf(cluster, "draws")).isEqualTo("licensed-1");
    assertThat(nodeOf(cluster, "runs")).isEqualTo("fast-1");
  }

  private static Predicate<String> isBound(Map<String, Tree> pods) {
    return node -> PodLog.isBound(pods, "on-" + node);
  }

  private static String nodeOf(Cluster cluster, String pod) {
    return cluster.fetch(Resource.PODS, "default", pod).textOrEmpty("spec", "nodeName");
  }

  private static void pod(
      Cluster cluster, String name, Map<String, String> labels, @Nullable String node) {
    var spec = Tree.of("containers", List.of(Tree.of("name", "c", "image", "example/app:1")));
    if (node != null) {
      spec.put("nodeSelector", Tree.of("kubernetes.io/hostname", node));
    }
    var all = new Tree();
    labels.forEach(all::put);
    cluster.create(
        Resource.PODS,
        Tree.of("apiVersion", "v1", "kind", "Pod")
            .put("metadata", Tree.of("namespace", "default", "name", name, "labels", all))
            .put("spec", spec));
  }

  @Test
  void aConfigurationThatCannotBeFollowedIsRefused() throws IOException {
    configuration(CONFIGURATION.replace("LicensedNodes", "NoSuchRule"));
    assertRefused(
        configuration + ": profile default-scheduler enables plugin NoSuchRule",
        "which does not exist; there are ",
        "LabelledFirst, LicensedNodes]");

    configuration(CONFIGURATION.replace("label:", "lable:"));
    assertRefused("profile default-scheduler, rule LabelledFirst: label: Required value");
  }

  @Test
  void aFolderOfNoUseIsRefused() throws IOException {
    Files.writeString(rules.resolve("b.jar"), "no jar");
    assertRefused(rules + "/b.jar: cannot be read: ");
    Files.delete(rules.resolve("b.jar"));
    jar();
    assertRefused(
        rules + ": no jar there has a META-INF/services/io.berth.engine.rule.RuleProvider");
    jar("NoSuchProvider");
    assertRefused("io.berth.engine.example.NoSuchProvider not found");
    Files.delete(rules.resolve("a.jar"));
    assertRefused(rules + ": no jars there");
    Files.delete(rules);
    assertRefused(rules + ": no such folder");
  }

  private void assertRefused(String... parts) {
    var up = new Up(new WatchedCluster(folder.resolve("cluster")));
    assertThat(run(up, upCommand())).startsWith("2: berth: ").contains(parts);
  }

  private static String run(Command command, String... line) {
    return run(new Cli(List.of(command), Map.of(), false), List.of(line));
  }

  /// The exit code and all that is printed.
  private static String run(Cli cli, List<String> line) {
    var out = new ByteArrayOutputStream();
    var print = new PrintStream(out, true, StandardCharsets.UTF_8);
    int code = cli.run(line, print, print);
    return code + ": " + out.toString(StandardCharsets.UTF_8);
  }

  /// Stops when pods are where the rules want them.
  private record WatchedScheduler(Cluster cluster) implements ClusterScheduler {

    @Override
    public ClusterScheduler.Running start(ClusterScheduler.Options options) {
      var running = new RealClusterScheduler(InstantSource.system()).start(options);
      return new ClusterScheduler.Running() {
        @Override
        public int awaitStop() throws InterruptedException {
          assertPlaced(cluster);
          return 0;
        }

        @Override
        public void close() {
          running.close();
        }
      };
    }
  }

  /// Stops when pods are where the rules want them.
  private record WatchedCluster(Path folder) implements LocalCluster {

    @Override
    public LocalCluster.Running start(LocalCluster.Options options) {
      var running = EmbeddedCluster.start(options);
      return new LocalCluster.Running() {
        @Override
        public Tree facts() {
          return running.facts();
        }

        @Override
        public void awaitStop() throws InterruptedException {
          try (var client = RealCluster.connect(options.kubeconfig(), "", "test", Set.of())) {
            assertPlaced(client);
          }
        }

        @Override
        public void close() {
          running.close();
        }
      };
    }

    @Override
    public Tree startDetached(LocalCluster.Options options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Tree find(Path where) {
      return null;
    }

    @Override
    public boolean stop(Path where) {
      return false;
    }

    @Override
    public Path defaultFolder(boolean inMemory) {
      return folder;
    }
  }
}
