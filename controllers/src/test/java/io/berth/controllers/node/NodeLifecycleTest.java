package io.berth.controllers.node;

import static io.berth.testing.Samples.aNode;
import static io.berth.testing.Samples.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.World;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.Taints;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeLifecycleTest {

  private final World world =
      new World(NodeLifecycle::new, TaintEviction::new, PodGarbage::new, World.kubelets());

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void aSilentNodeIsTaintedAndItsPodsLeaveWhenTheyMust() {
    nodes("a", 3);
    pod("short", "a-1", 30);
    pod("long", "a-1", 300);
    world.start();
    world.awaitObject(Resource.PODS, "short", Pods::isReady);
    fail("a-1");
    pass(70);
    world.awaitObject(Resource.NODES, "a-1", node -> ready(node).equals("Unknown"));
    world.awaitObject(
        Resource.NODES, "a-1", node -> Taints.has(node, Taints.UNREACHABLE, "NoExecute"));
    assertThat(Taints.has(get("a-1"), Taints.UNREACHABLE, "NoSchedule")).isTrue();
    pass(40);
    world.awaitObject(Resource.PODS, "short", Meta::isDeleting);
    assertThat(Conditions.isTrue(world.get(Resource.PODS, "short"), "DisruptionTarget")).isTrue();
    assertThat(Meta.isDeleting(world.get(Resource.PODS, "long"))).isFalse();

    recover("a-1");
    world.awaitObject(Resource.NODES, "a-1", node -> Taints.of(node).isEmpty());
    world.awaitGone(Resource.PODS, "short");
    pass(400);
    world.awaitObject(Resource.PODS, "long", Pods::isReady);
  }

  @Test
  void nothingIsEvictedWhenEverythingIsSilent() {
    nodes("a", 2);
    nodes("b", 2);
    pod("p", "a-1", 0);
    world.start();
    world.awaitObject(Resource.PODS, "p", Pods::isReady);
    List.of("a-1", "a-2", "b-1", "b-2").forEach(this::fail);
    pass(120);
    for (var node : List.of("a-1", "a-2", "b-1", "b-2")) {
      world.awaitObject(Resource.NODES, node, n -> ready(n).equals("Unknown"));
    }
    pass(120);
    for (var node : world.cluster.all(Resource.NODES)) {
      assertThat(Taints.has(node, Taints.UNREACHABLE, "NoExecute")).isFalse();
    }
    assertThat(Meta.isDeleting(world.get(Resource.PODS, "p"))).isFalse();
  }

  @Test
  void aLostZoneIsGivenUpNodeByNode() {
    nodes("a", 6);
    nodes("b", 6);
    world.start();
    for (var node : world.cluster.all(Resource.NODES)) {
      world.awaitObject(Resource.NODES, Meta.name(node), n -> Conditions.isTrue(n, "Ready"));
    }
    for (int i = 1; i <= 6; i++) {
      fail("a-" + i);
    }
    pass(56);
    for (int i = 1; i <= 6; i++) {
      world.awaitObject(Resource.NODES, "a-" + i, n -> ready(n).equals("Unknown"));
    }
    var before = evicting();
    pass(20);
    // One node in ten seconds and zone: two more, give or take the first one.
    assertThat(evicting() - before).isBetween(1L, 3L);
    pass(60);
    world.await("all of zone a", _ -> evicting() == 6);
  }

  @Test
  void aLargeLostZoneIsGivenUpNoFaster() {
    for (var zone : List.of("a", "b", "c")) {
      nodes(zone, 1000);
    }
    pod("here", "a-1", 0);
    pod("elsewhere", "b-1", 0);
    world.start();
    world.await("all nodes are ready", _ -> count("True") == 3000);
    world.awaitObject(Resource.PODS, "here", Pods::isReady);
    world.awaitObject(Resource.PODS, "elsewhere", Pods::isReady);
    for (int i = 1; i <= 1000; i++) {
      fail("a-" + i);
    }
    while (count("Unknown") == 0) {
      step();
    }
    // One node in ten seconds, and one that was saved up, however long the rest takes to notice.
    var since = world.clock.instant();
    while (count("Unknown") < 1000 || evicting() < 4) {
      step();
      var passed = Duration.between(since, world.clock.instant()).toSeconds();
      assertThat(evicting()).as("after %d s", passed).isLessThanOrEqualTo(2 + passed / 10);
    }
    assertThat(evictingIn("a")).isEqualTo(evicting());
    assertThat(count("True")).isEqualTo(2000);
    assertThat(Meta.isDeleting(world.get(Resource.PODS, "elsewhere"))).isFalse();
  }

  @Test
  void thousandsOfNodesSilentAtOnceLoseNoPod() {
    for (var zone : List.of("a", "b", "c")) {
      nodes(zone, 1000);
      pod(zone, zone + "-1", 60);
    }
    world.start();
    world.await("all nodes are ready", _ -> count("True") == 3000);
    for (var pod : List.of("a", "b", "c")) {
      world.awaitObject(Resource.PODS, pod, Pods::isReady);
    }
    for (var node : world.cluster.all(Resource.NODES)) {
      fail(Meta.name(node));
    }
    while (count("Unknown") < 3000) {
      step();
    }
    // Until the last one is silent the others may be given up, at the limited rate; then all that
    // is taken back, before the pods have to go.
    while (evicting() > 0) {
      step();
    }
    pass(120);
    assertThat(evicting()).isZero();
    assertThat(world.pods()).noneMatch(Meta::isDeleting).hasSize(3);
  }

  @Test
  void podsOfAVanishedNodeAreRemoved() {
    nodes("a", 1);
    pod("p", "nowhere", 300);
    world.start();
    pass(30);
    assertThat(world.cluster.find(Resource.PODS, "default", "p")).isPresent();
    pass(60);
    world.awaitGone(Resource.PODS, "p");
  }

  @Test
  void aPodThatChangesWhenItsNodeFallsSilentIsMarkedLater() {
    nodes("a", 2);
    pod("p", "a-1", 300);
    world.start();
    world.awaitObject(Resource.PODS, "p", Pods::isReady);
    var refused = new AtomicBoolean();
    world.cluster.beforeWrites((verb, resource, name) -> {
      if (verb.equals("update") && name.equals("p") && refused.compareAndSet(false, true)) {
        throw ApiException.conflict(resource, name, "changed meanwhile");
      }
    });
    fail("a-1");
    pass(70);
    world.awaitObject(Resource.PODS, "p", pod -> refused.get() && !Pods.isReady(pod));
  }

  @Test
  void onlyANodeThatWasReadyIsReportedAsNoLongerReady() {
    try (var alone = new World(NodeLifecycle::new)) {
      for (var status : List.of("True", "False")) {
        var node = aNode("was-" + status.toLowerCase(Locale.ROOT));
        var ready = Tree.of("type", "Ready", "status", status).put("lastHeartbeatTime", "x");
        node.child("status").put("conditions", List.of(ready));
        alone.create(Resource.NODES, node);
      }
      alone.start();
      for (int i = 0; i < 35; i++) {
        alone.advance(Duration.ofSeconds(2));
        alone.settle();
      }
      for (var name : List.of("was-true", "was-false")) {
        alone.awaitObject(Resource.NODES, name, n -> ready(n).equals("Unknown"));
      }
      alone.await("the event", c -> !c.all(Resource.CORE_EVENTS).isEmpty());
      assertThat(alone.cluster.all(Resource.CORE_EVENTS))
          .extracting(event -> event.text("message"))
          .containsExactly("Node was-true status is now: NodeNotReady");
    }
  }

  @Test
  void ofTheTolerationsForATaintTheFirstCounts() {
    nodes("a", 1);
    var pod = aPod("p");
    var forEver = Tree.of("key", "k", "operator", "Exists");
    pod.child("spec")
        .put("nodeName", "a-1")
        .put("tolerations", List.of(forEver, forEver.copy().put("tolerationSeconds", 10L)));
    world.create(Resource.PODS, pod);
    world.start();
    world.awaitObject(Resource.PODS, "p", Pods::isReady);
    world.cluster.edit(
        Resource.NODES,
        "",
        "a-1",
        node ->
            node.child("spec").put("taints", List.of(Tree.of("key", "k", "effect", "NoExecute"))));
    pass(30);
    assertThat(world.cluster.find(Resource.PODS, "default", "p"))
        .hasValueSatisfying(found -> assertThat(Meta.isDeleting(found)).isFalse());
  }

  @Test
  void aTaintSaysSinceWhen() {
    nodes("a", 1);
    world.start();
    world.cluster.edit(
        Resource.NODES, "", "a-1", node -> node.child("spec").put("unschedulable", true));
    world.awaitObject(
        Resource.NODES, "a-1", node -> Taints.has(node, Taints.UNSCHEDULABLE, "NoSchedule"));
    assertThat(Taints.of(get("a-1"))).allMatch(taint -> taint.text("timeAdded") != null);
  }

  @Test
  void aPodDeletedBeforeItWasScheduledHasFailed() {
    var pod = aPod("p");
    pod.child("metadata").put("finalizers", List.of("example.com/held"));
    world.create(Resource.PODS, pod);
    world.start();
    world.cluster.delete(Resource.PODS, "default", "p", DeleteOptions.DEFAULT);
    pass(24);
    world.awaitObject(
        Resource.PODS, "p", found -> found.textOrEmpty("status", "phase").equals("Failed"));
  }

  @Test
  void aPodThatCannotBeRemovedDoesNotKeepTheOthers() {
    nodes("a", 1);
    for (int i = 1; i <= 4; i++) {
      pod("p-" + i, "nowhere", 300);
    }
    var first = new AtomicReference<String>();
    world.cluster.beforeWrites((verb, resource, name) -> {
      if (verb.equals("update")
          && resource.equals(Resource.PODS)
          && (first.compareAndSet(null, name) || name.equals(first.get()))) {
        throw ApiException.forbidden(resource, name, "not this one");
      }
    });
    world.start();
    pass(90);
    world.await("one pod is left", c -> c.all(Resource.PODS).size() == 1);
    assertThat(world.pods().getFirst().text("metadata", "name")).isEqualTo(first.get());
  }

  private long evicting() {
    return world.cluster.all(Resource.NODES).stream()
        .filter(node -> Taints.has(node, Taints.UNREACHABLE, "NoExecute"))
        .count();
  }

  private long evictingIn(String zone) {
    return world.cluster.all(Resource.NODES).stream()
        .filter(node -> Meta.name(node).startsWith(zone + "-"))
        .filter(node -> Taints.has(node, Taints.UNREACHABLE, "NoExecute"))
        .count();
  }

  private long count(String readiness) {
    return world.cluster.all(Resource.NODES).stream()
        .filter(node -> ready(node).equals(readiness))
        .count();
  }

  /// Two seconds, and then everything that they set off.
  private void step() {
    world.advance(Duration.ofSeconds(2));
    world.settle();
  }

  /// Time passes in steps, so that what beats has a chance to beat.
  private void pass(int seconds) {
    for (int i = 0; i < seconds; i += 2) {
      world.advance(Duration.ofSeconds(2));
      world.settle();
    }
  }

  private void nodes(String zone, int count) {
    for (int i = 1; i <= count; i++) {
      var node = aNode(zone + "-" + i);
      node.child("metadata").put("labels", Tree.of("topology.kubernetes.io/zone", zone));
      world.create(Resource.NODES, node);
    }
  }

  private void pod(String name, String node, long toleration) {
    var pod = aPod(name);
    pod.child("spec").put("nodeName", node);
    pod.child("spec")
        .put(
            "tolerations",
            List.of(
                Tree.of("key", Taints.UNREACHABLE, "operator", "Exists", "effect", "NoExecute")
                    .put("tolerationSeconds", toleration)));
    world.create(Resource.PODS, pod);
  }

  private Tree get(String node) {
    return world.get(Resource.NODES, node);
  }

  private static String ready(Tree node) {
    var ready = Conditions.find(node, "Ready");
    return ready == null ? "" : ready.textOrEmpty("status");
  }

  private void fail(String node) {
    annotate(node, "partition");
  }

  private void recover(String node) {
    annotate(node, null);
  }

  private void annotate(String node, @Nullable String how) {
    world.cluster.edit(
        Resource.NODES,
        "",
        node,
        n -> n.child("metadata").child("annotations").put("berth.io/failure", how));
  }
}
