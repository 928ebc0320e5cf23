package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.admission.AdmissionChain;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster.Simulation;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.Informer;
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
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs every folder of `examples/` on a whole cluster in this process, as `berth up` starts it,
/// and compares what comes out with the folder's `outcome.yaml`.
///
/// Each document there is a step: commands to `run` (without any: create the namespace and the
/// manifest), which its README must show word for word, whether the last one is `refused`, and the
/// `pods` afterwards. `-Dberth.slow=true` runs the steps that take a minute of waiting.
class ExamplesTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final List<AutoCloseable> parts = new ArrayList<>();
  private static final Object changed = new Object();
  private static @Nullable InProcessCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    var store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
    parts.add(store);
    var authority = Authority.open(null);
    var server =
        new ApiServer(
            store, authority, AdmissionChain.of(List.of(), List.of()), ServerSettings.plain());
    parts.add(server);
    parts.add(new Components(server.registry(), authority, Simulation.DEFAULT, schedulers()));
    var client = new InProcessCluster(server.registry(), "examples", InstantSource.system());
    parts.add(new Informer(client, Resource.PODS).on(new Waker()).start());
    cluster = client;
  }

  /// The profiles of the one example that needs more than the usual one.
  private static SchedulerSettings schedulers() {
    return SchedulerSettings.of(
        folder().resolve("added-affinity/scheduler.yaml"), UnaryOperator.identity());
  }

  @AfterAll
  static void stop() throws Exception {
    for (var part : parts.reversed()) {
      part.close();
    }
  }

  static List<Path> examples() throws IOException {
    try (var folders = Files.list(folder())) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("outcome.yaml")))
          .sorted()
          .toList();
    }
  }

  private static Path folder() {
    return Path.of(Objects.requireNonNull(System.getProperty("berth.root")), "examples");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void comesOutAsWritten(Path example) throws Exception {
    var namespace = String.valueOf(example.getFileName());
    var readme = Files.readString(example.resolve("README.md"));
    var kubectl = new Kubectl(client(), example);
    try {
      for (var step : Yaml.readAll(Files.readString(example.resolve("outcome.yaml")))) {
        if (step.flag("slow") && !Boolean.getBoolean("berth.slow")) {
          break;
        }
        var commands = commands(namespace, step);
        commands.forEach(command -> assertThat(readme).contains(command));
        run(kubectl, commands, step);
        awaitSettled(namespace, step);
        step.trees("pods").forEach(expected -> check(namespace, expected));
      }
    } finally {
      kubectl.undo();
    }
  }

  private static List<String> commands(String namespace, Tree step) {
    if (!step.has("run")) {
      return List.of(
          "kubectl create namespace " + namespace,
          "kubectl create -n " + namespace + " -f manifest.yaml");
    }
    var commands = new ArrayList<String>();
    step.list("run").forEach(line -> commands.add(String.valueOf(line)));
    return commands;
  }

  private static void run(Kubectl kubectl, List<String> commands, Tree step) throws IOException {
    var refused = step.text("refused");
    for (var command : refused == null ? commands : commands.subList(0, commands.size() - 1)) {
      kubectl.run(command);
    }
    if (refused != null) {
      assertThatThrownBy(() -> kubectl.run(commands.getLast())).hasMessage(refused);
    }
  }

  /// Waits until every pod shows the phase and message it shall have, or patience runs out.
  private static void awaitSettled(String namespace, Tree step) throws Exception {
    var outcome = step.trees("pods");
    var end = System.nanoTime() + PATIENCE.multipliedBy(step.flag("slow") ? 3 : 1).toNanos();
    synchronized (changed) {
      while (!isSettled(namespace, outcome) && System.nanoTime() < end) {
        changed.wait(500);
      }
    }
  }

  private static boolean isSettled(String namespace, List<Tree> outcome) {
    for (var expected : outcome) {
      var pods = pods(namespace, expected);
      if (pods.size() != expected.number(1, "count")) {
        return false;
      }
      for (var pod : pods) {
        var message = expected.text("message");
        if (!phase(pod).equals(expected.text("phase"))
            || (message != null && !message.equals(message(pod)))) {
          return false;
        }
      }
    }
    return true;
  }

  private static void check(String namespace, Tree expected) {
    var pods = pods(namespace, expected);
    assertThat(pods).as("pods of %s", expected).hasSize((int) expected.number(1, "count"));
    if (pods.isEmpty()) {
      return;
    }
    assertThat(pods).extracting(ExamplesTest::phase).containsOnly(expected.textOrEmpty("phase"));
    if (expected.text("message") != null) {
      assertThat(pods).extracting(ExamplesTest::message).containsOnly(expected.text("message"));
    }
    if (expected.text("reason") != null) {
      assertThat(pods.getFirst().text("status", "reason")).isEqualTo(expected.text("reason"));
    }
    if (!expected.list("nodes").isEmpty()) {
      assertThat(expected.list("nodes")).containsAll(nodes(pods));
    }
    if (!expected.list("zones").isEmpty()) {
      assertThat(expected.list("zones")).containsAll(zones(pods).keySet());
    }
    switch (expected.textOrEmpty("apart")) {
      case "node" -> assertThat(new HashSet<>(nodes(pods))).hasSize(pods.size());
      case "zone" -> assertThat(zones(pods)).hasSize(pods.size());
      default -> {}
    }
    if (expected.text("beside") != null) {
      var others = pods(namespace, Tree.of("selector", expected.text("beside")));
      assertThat(nodes(pods)).containsExactlyInAnyOrderElementsOf(nodes(others));
    }
    if (expected.text("zonesApartFrom") != null) {
      var others = pods(namespace, Tree.of("selector", expected.text("zonesApartFrom")));
      assertThat(zones(others)).isNotEmpty();
      assertThat(zones(pods).keySet()).doesNotContainAnyElementsOf(zones(others).keySet());
    }
    if (expected.at("perZone") != null) {
      assertThat(zones(pods).values()).containsOnly(expected.number(0, "perZone"));
    }
  }

  private static List<Tree> pods(String namespace, Tree expected) {
    var name = expected.text("name");
    var selection =
        name == null
            ? Selection.labels(expected.textOrEmpty("selector"))
            : Selection.fields("metadata.name=" + name);
    var where = Objects.requireNonNullElse(expected.text("namespace"), namespace);
    return client().list(Resource.PODS, where, selection).items();
  }

  private static List<String> nodes(List<Tree> pods) {
    var nodes = new ArrayList<String>();
    pods.forEach(pod -> nodes.add(pod.textOrEmpty("spec", "nodeName")));
    return nodes;
  }

  private static Map<String, Long> zones(List<Tree> pods) {
    var zones = new HashMap<String, Long>();
    for (var pod : pods) {
      zones.merge(
          pod.textOrEmpty("metadata", "labels", "topology.kubernetes.io/zone"), 1L, Long::sum);
    }
    return zones;
  }

  private static String phase(Tree pod) {
    return pod.textOrEmpty("status", "phase");
  }

  /// What the kubelet or the scheduler said.
  private static String message(Tree pod) {
    var message = pod.textOrEmpty("status", "message");
    for (var condition : pod.trees("status", "conditions")) {
      if (message.isEmpty() && condition.textOrEmpty("type").equals("PodScheduled")) {
        message = condition.textOrEmpty("message");
      }
    }
    return message;
  }

  private static InProcessCluster client() {
    return Objects.requireNonNull(cluster);
  }

  private static final class Waker implements Informer.Handler {

    @Override
    public void changed(@Nullable Tree previous, Tree pod) {
      wake();
    }

    @Override
    public void removed(Tree pod) {
      wake();
    }

    private static void wake() {
      synchronized (changed) {
        changed.notifyAll();
      }
    }
  }
}
