package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Cluster.Selection;
import io.berth.testing.CuttingProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two instances of `berth scheduler`, one leading and one waiting, and everything that can happen
/// to them while they bind: whatever it is, no pod is bound twice or lost, no node takes more than
/// it has, and no required rule is broken. An independent witness reads the history and says so.
///
/// A few faults in the build; `-Dberth.faults=300 -Dberth.seed=7` for many, of all kinds. With
/// `-Dberth.fault=KILL` all are of one kind.
class SchedulerFaultsTest {

  private static final long SEED = Long.getLong("berth.seed", 1);
  private static final int FAULTS = Integer.getInteger("berth.faults", 0);
  private static final String ONLY = System.getProperty("berth.fault", "");
  private static final int NODES = 12;
  private static final String CPUS = "4";
  private static final String RIVAL = "rival";

  // Only a test that hangs waits this long.
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /// Rounds after which all pods are taken away again: there must be room for those of the next.
  private static final int ROUNDS_TOGETHER = 8;

  /// What can happen.
  private enum Fault {
    /// The leader dies within whatever it does.
    KILL,
    /// The leader is asked to stop, and hands over.
    TERMINATE,
    /// The leader stands still for longer than its lease lasts, and then goes on where it was.
    FREEZE,
    /// All connections end, within requests, answers and watch events.
    CUT,
    /// Nothing comes through the connections that there are; new ones work.
    SILENCE,
    /// The API server is away for a moment.
    RESTART,
    /// Somebody else binds pods that we are about to bind.
    RIVAL,
    /// Writes take a third of a second until the next fault.
    SLOW_DISK,
    /// The clocks on the wall jump, by hours, forwards and backwards.
    CLOCK
  }

  @TempDir Path folder;
  private final Random random = new Random(SEED);
  private final List<Long> handovers = new ArrayList<>();
  private WiredServer server;
  private CuttingProxy proxy;
  private BindWitness witness;
  private Path kubeconfig;
  private Path configuration;
  private SchedulerUnderFire first;
  private SchedulerUnderFire second;
  private int started;
  private int round;

  @BeforeEach
  void start() throws Exception {
    server = new WiredServer();
    for (int i = 0; i < NODES; i++) {
      server.node("n" + i, CPUS, Map.of("zone", "z" + i % 3));
    }
    server.node(RIVAL, "1000");
    server
        .admin()
        .patch(
            Resource.NODES,
            "",
            RIVAL,
            null,
            PatchType.MERGE,
            Tree.of("spec", Tree.of("unschedulable", true)));
    proxy = new CuttingProxy(server.port());
    var nodes = server.admin().list(Resource.NODES, "", Selection.ALL).items();
    witness = new BindWitness(server.store(), nodes, RIVAL);
    kubeconfig = server.kubeconfig(folder, proxy.port());
    configuration = Files.writeString(folder.resolve("scheduler.yaml"), CONFIGURATION);
    first = instance();
    second = instance();
  }

  @AfterEach
  void stop() throws Exception {
    first.kill();
    second.kill();
    witness.close();
    proxy.close();
    server.close();
  }

  private SchedulerUnderFire instance() throws IOException {
    return SchedulerUnderFire.start(
        kubeconfig, configuration, folder.resolve("scheduler-%d.log".formatted(started++)));
  }

  @Test
  void noFaultBindsTwiceLosesAPodOrBreaksARule() throws Exception {
    for (var fault : faults()) {
      if (round % ROUNDS_TOGETHER == ROUNDS_TOGETHER - 1) {
        settle();
        takeAllAway();
      }
      round++;
      createPods();
      int until = witness.binds() + random.nextInt(20);
      await("some binds", () -> witness.binds() >= until || witness.pending() == 0);
      server.store().slow(Duration.ZERO);
      happen(fault);
      replaceTheDead();
      assertThat(witness.complaints()).as("after %s, seed %d", fault, SEED).isEmpty();
    }
    server.store().slow(Duration.ZERO);
    settle();

    assertThat(witness.complaints()).as("seed %d", SEED).isEmpty();
    Collections.sort(handovers);
    System.out.printf(
        "%d faults, %d binds, 0 complaints; kill of the leader to the next bind, ms: %s%n",
        round, witness.binds(), handovers);
  }

  private List<Fault> faults() {
    if (FAULTS == 0) {
      return List.of(Fault.CUT, Fault.RIVAL, Fault.KILL, Fault.CLOCK, Fault.RESTART);
    }
    var all = new ArrayList<Fault>();
    while (all.size() < FAULTS) {
      var kinds = new ArrayList<>(ONLY.isEmpty() ? List.of(Fault.values()) : List.of(only()));
      Collections.shuffle(kinds, random);
      all.addAll(kinds);
    }
    return all.subList(0, FAULTS);
  }

  private static Fault only() {
    return Fault.valueOf(ONLY);
  }

  private void happen(Fault fault) throws Exception {
    switch (fault) {
      case KILL -> kill();
      case TERMINATE -> leader().terminate();
      case FREEZE -> {
        var frozen = leader();
        frozen.freeze();
        var other = frozen == first ? second : first;
        await("a new leader", () -> other.hasLed() || !other.isAlive());
        frozen.thaw();
      }
      case CUT -> proxy.cut();
      case SILENCE -> proxy.silence();
      case RESTART -> server.restart(Duration.ofMillis(random.nextInt(500)));
      case RIVAL -> bindByRival();
      case SLOW_DISK -> server.store().slow(Duration.ofMillis(300));
      case CLOCK -> {
        replaceTheDead();
        long seconds = random.nextLong(-20_000, 20_000);
        first.moveClock(seconds);
        second.moveClock(-seconds);
      }
    }
  }

  private void kill() throws Exception {
    leader().kill();
    long begin = System.nanoTime();
    int before = witness.binds();
    server.pod("after-" + round, "100m");
    await("a new leader at work", () -> witness.binds() > before);
    handovers.add((witness.boundAtNanos() - begin) / 1_000_000);
  }

  private SchedulerUnderFire leader() throws Exception {
    replaceTheDead();
    return first.hasLed() || !second.hasLed() ? first : second;
  }

  private void replaceTheDead() throws IOException {
    if (!first.isAlive()) {
      first = instance();
    }
    if (!second.isAlive()) {
      second = instance();
    }
  }

  private void bindByRival() {
    var pods = server.admin().list(Resource.PODS, "default", Selection.labels("kind=plain"));
    for (var pod : pods.items()) {
      if (pod.textOrEmpty("spec", "nodeName").isEmpty() && random.nextBoolean()) {
        var name = pod.textOrEmpty("metadata", "name");
        var binding =
            Tree.of(
                "apiVersion",
                "v1",
                "kind",
                "Binding",
                "metadata",
                Tree.of("namespace", "default", "name", name),
                "target",
                Tree.of("kind", "Node", "name", RIVAL));
        try {
          server.admin().post(Resource.PODS, "default", name, "binding", binding);
        } catch (ApiException e) {
          assertThat(e.code()).as("the scheduler was quicker").isEqualTo(409);
        }
      }
    }
  }

  private void settle() throws Exception {
    await("all binds", () -> witness.pending() == 0);
    witness.settled();
  }

  /// Waits, and does what a Deployment does meanwhile: an instance that ends is started again.
  private void await(String what, BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "%s did not come in round %d, seed %d; %d pods pending\n%s"
                .formatted(what, round, SEED, witness.pending(), outputs()));
      }
      replaceTheDead();
      witness.awaitChange();
    }
  }

  private String outputs() {
    try {
      return first.output() + "\n---\n" + second.output();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private void takeAllAway() throws Exception {
    for (var pod : server.admin().list(Resource.PODS, "default", Selection.ALL).items()) {
      server
          .admin()
          .delete(
              Resource.PODS,
              "default",
              pod.textOrEmpty("metadata", "name"),
              new DeleteOptions(0, null, null));
    }
    await("an empty cluster", () -> witness.present() == 0);
  }

  /// Of every kind a few; those with rules form a group of their own in each round.
  private void createPods() {
    for (int i = 0; i < 10; i++) {
      server.pod("plain-%d-%d".formatted(round, i), "100m", Map.of("kind", "plain"), new Tree());
    }
    var apart = Map.of("group", "apart-" + round);
    var together = Map.of("group", "together-" + round);
    var spread = Map.of("group", "spread-" + round);
    for (int i = 0; i < 6; i++) {
      server.pod(
          "apart-%d-%d".formatted(round, i),
          "100m",
          apart,
          affinity("podAntiAffinity", apart, "kubernetes.io/hostname"));
      server.pod(
          "together-%d-%d".formatted(round, i),
          "100m",
          together,
          affinity("podAffinity", together, "zone"));
      server.pod("spread-%d-%d".formatted(round, i), "100m", spread, spread(spread));
      server.pod(
          "chosen-%d-%d".formatted(round, i),
          "100m",
          Map.of(),
          Tree.of("nodeSelector", Tree.of("zone", "z" + i % 3)));
    }
  }

  private static Tree affinity(String kind, Map<String, String> group, String key) {
    var term = Tree.of("topologyKey", key, "labelSelector", selector(group));
    return Tree.of(
        "affinity",
        Tree.of(kind, Tree.of("requiredDuringSchedulingIgnoredDuringExecution", List.of(term))));
  }

  private static Tree spread(Map<String, String> group) {
    var constraint =
        Tree.of("maxSkew", 1, "topologyKey", "zone", "whenUnsatisfiable", "DoNotSchedule")
            .put("labelSelector", selector(group));
    return Tree.of("topologySpreadConstraints", List.of(constraint));
  }

  private static Tree selector(Map<String, String> labels) {
    return Tree.of("matchLabels", Tree.ofMap(labels));
  }

  private static final String CONFIGURATION =
      """
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: KubeSchedulerConfiguration
      leaderElection:
        leaderElect: true
        leaseDuration: 5s
        renewDeadline: 4s
        retryPeriod: 1s
        resourceName: berth-scheduler
      profiles:
      - schedulerName: berth
      """;
}
