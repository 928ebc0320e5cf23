package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.store.Codec;
import io.berth.store.Key;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster under random operations keeps its promises at every revision, and comes to rest when
/// the noise stops.
///
/// `-Dberth.invariants.seconds=600 -Dberth.invariants.seed=7` runs longer, and something else;
/// `-Dberth.invariants.kill.seconds=600` also with a process that is killed again and again.
class InvariantsTest {

  private static final int NODES = 24;
  private static final long SECONDS = Long.getLong("berth.invariants.seconds", 5);
  private static final long KILL_SECONDS = Long.getLong("berth.invariants.kill.seconds", 0);
  private static final long SEED = Long.getLong("berth.invariants.seed", 1);
  private static final Duration REST = Duration.ofMinutes(3);

  @Test
  void holdThroughTurmoil(@TempDir Path folder) throws Exception {
    var invariants = new Invariants();
    try (var cluster = new LivingCluster(folder.resolve("store"), NODES, invariants)) {
      var turmoil = new Turmoil(cluster, invariants, NODES, SEED);
      var end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
      var steps = 0;
      while (steps < 60 || System.nanoTime() < end) {
        turmoil.step();
        if (++steps % 40 == 0) {
          turmoil.restart();
        }
        Thread.sleep(pauseMillis());
        cluster.read();
        assertThat(invariants.violations()).as(() -> told(turmoil)).isEmpty();
      }
      turmoil.end();
      awaitRest(cluster, turmoil);
      assertThat(turmoil.unsettled()).as(() -> told(turmoil)).isEmpty();
      cluster.read();
      assertThat(invariants.violations()).as(() -> told(turmoil)).isEmpty();
      assertThat(invariants.changes()).isGreaterThan(500);
      System.out.printf(
          "seed %d: %d operations, %d changes read%n", SEED, steps, invariants.changes());
    }
  }

  /// The same with a process that is killed in the middle of its work, every twenty operations.
  @Test
  void holdThroughKills(@TempDir Path folder) throws Exception {
    assumeTrue(KILL_SECONDS > 0, "-Dberth.invariants.kill.seconds=600 runs this");
    var invariants = new Invariants();
    try (var cluster = new KilledCluster(folder, NODES, invariants)) {
      var turmoil = new Turmoil(cluster, invariants, NODES, SEED);
      var end = System.nanoTime() + Duration.ofSeconds(KILL_SECONDS).toNanos();
      var steps = 0;
      var kills = 0;
      while (System.nanoTime() < end) {
        turmoil.step();
        if (++steps % 20 == 0) {
          turmoil.restart();
          kills++;
          assertThat(invariants.violations()).as(() -> told(turmoil)).isEmpty();
        }
        Thread.sleep(100);
      }
      turmoil.end();
      awaitRest(cluster, turmoil);
      assertThat(turmoil.unsettled()).as(() -> told(turmoil)).isEmpty();
      cluster.end();
      assertThat(invariants.violations()).as(() -> told(turmoil)).isEmpty();
      System.out.printf(
          "seed %d: %d operations, %d kills, %d changes read%n",
          SEED, steps, kills, invariants.changes());
    }
  }

  private static long pauseMillis() {
    return SECONDS > 60 ? 250 : 30;
  }

  private static void awaitRest(Restartable cluster, Turmoil turmoil) throws Exception {
    var end = System.nanoTime() + REST.toNanos();
    while (!turmoil.unsettled().isEmpty() && System.nanoTime() < end) {
      cluster.read();
      Thread.sleep(50);
    }
  }

  private static String told(Turmoil turmoil) {
    return "seed %d, after %s".formatted(SEED, String.join("; ", turmoil.history()));
  }

  /// The checker can say no: one pod too many, a pod that moves, a node that is too full.
  @Test
  void violationsAreSeen() throws Exception {
    var invariants = new Invariants();
    try (var store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
        var log =
            new WatchLog(
                store,
                List.of(Resource.PODS, Resource.NODES, Resource.DEPLOYMENTS),
                store.revision(),
                invariants::read)) {
      put(store, Resource.NODES, node());
      put(store, Resource.DEPLOYMENTS, deployment());
      put(store, Resource.PODS, pod("a", "n1"));
      put(store, Resource.PODS, pod("b", "n1"));
      log.readTo(store.revision());
      assertThat(invariants.violations()).isEmpty();

      put(store, Resource.PODS, pod("c", "n1"));
      log.readTo(store.revision());
      assertThat(invariants.violations())
          .anyMatch(text -> text.endsWith("Deployment d has 3 pods, 2 are allowed"))
          .anyMatch(text -> text.contains("node n1 holds 3000m of 2000m CPU"));

      put(store, Resource.PODS, pod("a", "n2"));
      log.readTo(store.revision());
      assertThat(invariants.violations())
          .anyMatch(text -> text.endsWith("pod a was on n1 and is on n2"));
    }
  }

  /// A Deployment answers for the available pods it was told of, and for no others: of five, three
  /// are known, and a fourth that becomes ready when it is chosen may go.
  @Test
  void deploymentsKeepWhatTheyWereToldOf() throws Exception {
    var invariants = new Invariants();
    try (var store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
        var log =
            new WatchLog(
                store,
                List.of(Resource.PODS, Resource.DEPLOYMENTS, Resource.REPLICA_SETS),
                store.revision(),
                invariants::read)) {
      put(store, Resource.DEPLOYMENTS, sized(deployment(), 5));
      put(store, Resource.REPLICA_SETS, replicaSet(5, 3));
      for (var name : List.of("a", "b", "c", "e")) {
        put(store, Resource.PODS, ready(podOf("r", name)));
      }
      put(store, Resource.PODS, podOf("r", "f"));
      put(store, Resource.REPLICA_SETS, replicaSet(4, 3));
      put(store, Resource.PODS, leaving(ready(podOf("r", "e"))));
      log.readTo(store.revision());
      assertThat(invariants.violations()).isEmpty();

      put(store, Resource.PODS, leaving(ready(podOf("r", "c"))));
      log.readTo(store.revision());
      assertThat(invariants.violations())
          .singleElement()
          .asString()
          .endsWith("Deployment d took c away and has 2 ready pods; 3 are required");
    }
  }

  /// A budget may not know yet of pods that were scaled away; of all others it must.
  @Test
  void evictionsLeaveWhatABudgetWants() throws Exception {
    var invariants = new Invariants();
    try (var store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
        var log =
            new WatchLog(
                store,
                List.of(Resource.PODS, Resource.DEPLOYMENTS, Resource.POD_DISRUPTION_BUDGETS),
                store.revision(),
                invariants::read)) {
      var budget = Tree.of("minAvailable", 2, "selector", Tree.of("matchLabels", new Tree()));
      put(
          store,
          Resource.POD_DISRUPTION_BUDGETS,
          Tree.of("metadata", Tree.of("name", "b", "uid", "b"), "spec", budget));
      put(store, Resource.DEPLOYMENTS, sized(deployment(), 3));
      for (var name : List.of("a", "b", "c")) {
        put(store, Resource.PODS, ready(podOf("d", name)));
      }
      put(store, Resource.PODS, leaving(ready(podOf("d", "c"))));
      put(store, Resource.PODS, leaving(evicted(podOf("d", "b"))));
      log.readTo(store.revision());
      assertThat(invariants.violations()).isEmpty();

      put(store, Resource.DEPLOYMENTS, other(sized(deployment(), 2)));
      put(store, Resource.PODS, ready(podOf("e", "f")));
      put(store, Resource.PODS, leaving(evicted(podOf("e", "f"))));
      log.readTo(store.revision());
      assertThat(invariants.violations())
          .singleElement()
          .asString()
          .endsWith("the eviction of f left 1 healthy pods; b wants 2");
    }
  }

  private static Tree other(Tree deployment) {
    deployment.child("metadata").put("name", "e").put("uid", "e");
    return deployment;
  }

  private static Tree evicted(Tree pod) {
    var ready = Tree.of("type", "Ready", "status", "True");
    var target =
        Tree.of("type", "DisruptionTarget", "status", "True", "reason", "EvictionByEvictionAPI");
    return pod.put("status", Tree.of("conditions", List.of(ready, target)));
  }

  /// A pod that succeeds after its deletion may count as failed; any other must be counted.
  @Test
  void jobsNeedNotCountWhatSucceedsTooLate() throws Exception {
    var invariants = new Invariants();
    try (var store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
        var log =
            new WatchLog(
                store, List.of(Resource.PODS, Resource.JOBS), store.revision(), invariants::read)) {
      put(store, Resource.JOBS, job());
      put(store, Resource.PODS, podOf("j", "a"));
      put(store, Resource.PODS, leaving(podOf("j", "a")));
      put(store, Resource.PODS, leaving(succeeded(podOf("j", "a"))));
      put(store, Resource.PODS, succeeded(podOf("j", "b")));
      put(store, Resource.JOBS, complete(job()));
      log.readTo(store.revision());
      assertThat(invariants.violations()).isEmpty();

      put(store, Resource.PODS, succeeded(podOf("j", "c")));
      put(store, Resource.JOBS, complete(job()));
      log.readTo(store.revision());
      assertThat(invariants.violations())
          .singleElement()
          .asString()
          .endsWith("Job j is complete with 1 of 1, 3 have succeeded");
    }
  }

  private static void put(Store store, Resource resource, Tree object) {
    var name = object.textOrEmpty("metadata", "name");
    store.transact(transaction -> {
      transaction.put(new Key(resource.group(), resource.plural(), "", name), object);
      return null;
    });
  }

  private static Tree node() {
    var allocatable = Tree.of("cpu", "2", "memory", "8Gi", "pods", "10");
    return Tree.of("metadata", Tree.of("name", "n1", "uid", "n1"))
        .put("status", Tree.of("allocatable", allocatable));
  }

  private static Tree deployment() {
    return Tree.of("metadata", Tree.of("name", "d", "uid", "d", "generation", 1))
        .put("spec", Tree.of("replicas", 1));
  }

  private static Tree sized(Tree owner, long replicas) {
    owner.child("spec").put("replicas", replicas);
    return owner;
  }

  private static Tree replicaSet(long size, long available) {
    var metadata =
        Tree.of("name", "r", "uid", "r", "generation", size)
            .put("ownerReferences", List.of(Tree.of("uid", "d", "controller", true)));
    return Tree.of("metadata", metadata)
        .put("spec", Tree.of("replicas", size))
        .put("status", Tree.of("availableReplicas", available));
  }

  private static Tree job() {
    return Tree.of("metadata", Tree.of("name", "j", "uid", "j"));
  }

  private static Tree complete(Tree job) {
    var condition = Tree.of("type", "Complete", "status", "True");
    return job.put("status", Tree.of("succeeded", 1, "conditions", List.of(condition)));
  }

  private static Tree podOf(String owner, String name) {
    var metadata =
        Tree.of("name", name, "uid", name)
            .put("ownerReferences", List.of(Tree.of("uid", owner, "controller", true)));
    return Tree.of("metadata", metadata);
  }

  private static Tree ready(Tree pod) {
    var condition = Tree.of("type", "Ready", "status", "True");
    return pod.put("status", Tree.of("conditions", List.of(condition)));
  }

  private static Tree succeeded(Tree pod) {
    return pod.put("status", Tree.of("phase", "Succeeded"));
  }

  private static Tree leaving(Tree pod) {
    pod.child("metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
    return pod;
  }

  private static Tree pod(String name, String node) {
    var owner = Tree.of("uid", "d", "controller", true);
    var requests = Tree.of("requests", Tree.of("cpu", "1"));
    return Tree.of(
            "metadata", Tree.of("name", name, "uid", name).put("ownerReferences", List.of(owner)))
        .put(
            "spec",
            Tree.of("nodeName", node, "containers", List.of(Tree.of("resources", requests))));
  }
}
