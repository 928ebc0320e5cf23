package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.Selection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// The leader goes while pods come in without pause, and another instance takes over: how long
/// nobody binds, and that nothing is bound twice or where it must not be.
///
/// A leader that is asked to stop gives the lease back; one that is killed leaves a lease that has
/// to run out. The build looks at the first, and [SchedulerFaultsTest] kills leaders with a short
/// lease. `-Dberth.lease=15` does both with Kubernetes' usual lease, measures the gap, and holds it
/// against the lease: for an idle machine.
class HandOverTest {

  private static final int LEASE_SECONDS = Integer.getInteger("berth.lease", 15);
  private static final boolean MEASURES = System.getProperty("berth.lease") != null;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final int NODES = 20;

  /// Half of what the nodes have room for: each takes 110.
  private static final int MAX_PODS = NODES * 110 / 2;

  /// What a process that waits may be late by: its watch, its attempt, its first decision.
  private static final Duration WORK = Duration.ofSeconds(1);

  @TempDir Path folder;
  private WiredServer server;
  private BindWitness witness;
  private SchedulerUnderFire leader;
  private SchedulerUnderFire standby;
  private int pods;

  @BeforeEach
  void start() throws Exception {
    server = new WiredServer();
    for (int i = 0; i < NODES; i++) {
      server.node("n" + i, "64", Map.of("zone", "z" + i % 3));
    }
    var nodes = server.admin().list(Resource.NODES, "", Selection.ALL).items();
    witness = new BindWitness(server.store(), nodes, "");
    leader = instance("first");
    await("the first one leads", leader::hasLed);
    standby = instance("second");
    await("the second one knows the cluster", standby::knowsTheCluster);
  }

  @AfterEach
  void stop() throws Exception {
    leader.kill();
    standby.kill();
    witness.close();
    server.close();
  }

  private SchedulerUnderFire instance(String name) throws Exception {
    var configuration = Files.writeString(folder.resolve("scheduler.yaml"), configuration());
    return SchedulerUnderFire.start(
        server.kubeconfig(folder, server.port()), configuration, folder.resolve(name + ".log"));
  }

  @Test
  @EnabledIfSystemProperty(named = "berth.lease", matches = ".+")
  void aLeaderThatIsKilledIsReplacedWhenItsLeaseHasRunOut() throws Exception {
    var gap = gapAfter(leader::kill);

    if (MEASURES) {
      assertThat(gap).isLessThan(Duration.ofSeconds(LEASE_SECONDS).plus(WORK));
    }
  }

  @Test
  void aLeaderThatIsAskedToStopIsReplacedAtOnce() throws Exception {
    var gap = gapAfter(leader::terminate);

    if (MEASURES) {
      assertThat(leader.output()).contains("gave the lead back");
      assertThat(gap).isLessThan(WORK);
    }
  }

  /// The longest time in which nothing was bound although pods waited; they come all the time.
  private Duration gapAfter(Ending ending) throws Exception {
    await("binds by the first", () -> arrive() && witness.binds() > 100);
    witness.measurePauses();
    ending.run();
    await("the second one leads", () -> arrive() && standby.hasLed());
    await("all binds", () -> witness.pending() == 0);
    witness.settled();

    assertThat(witness.complaints()).isEmpty();
    var gap = Duration.ofNanos(witness.longestPauseNanos());
    if (MEASURES) {
      System.out.printf(
          "no bind for %d ms, lease %d s, %d pods%n", gap.toMillis(), LEASE_SECONDS, 2 * pods);
    }
    return gap;
  }

  private interface Ending {
    void run() throws InterruptedException;
  }

  /// Two pods more, unless there are enough: one that keeps apart from a few others, and a plain
  /// one.
  private boolean arrive() {
    if (2 * pods >= MAX_PODS) {
      return true;
    }
    var group = Map.of("group", "g" + pods / 10);
    var term =
        Tree.of("topologyKey", "kubernetes.io/hostname")
            .put("labelSelector", Tree.of("matchLabels", Tree.ofMap(group)));
    var rule = Tree.of("requiredDuringSchedulingIgnoredDuringExecution", List.of(term));
    var apart = Tree.of("affinity", Tree.of("podAntiAffinity", rule));
    server.pod("apart-" + pods, "10m", group, apart);
    server.pod("plain-" + pods, "10m", Map.of(), new Tree());
    pods++;
    return true;
  }

  private void await(String what, BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "%s did not come; %d pods pending\n%s\n---\n%s"
                .formatted(what, witness.pending(), leader.output(), standby.output()));
      }
      witness.awaitChange();
    }
  }

  private static Duration retry() {
    return Duration.ofMillis(LEASE_SECONDS * 1000L / 7);
  }

  /// In the proportions of Kubernetes' defaults: 15, 10 and 2 seconds.
  private static String configuration() {
    return """
    apiVersion: kubescheduler.config.k8s.io/v1
    kind: KubeSchedulerConfiguration
    leaderElection:
      leaderElect: true
      leaseDuration: %ds
      renewDeadline: %dms
      retryPeriod: %dms
      resourceName: berth-scheduler
    profiles:
    - schedulerName: berth
    """
        .formatted(LEASE_SECONDS, LEASE_SECONDS * 667L, retry().toMillis());
  }
}
