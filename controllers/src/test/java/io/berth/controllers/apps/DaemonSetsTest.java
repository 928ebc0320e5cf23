package io.berth.controllers.apps;

import static io.berth.testing.Samples.aNode;
import static io.berth.testing.Samples.aWorkload;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Informer;
import io.berth.controllers.World;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DaemonSetsTest {

  private final World world = new World(DaemonSets::new, World.kubelets());
  private final Informer binder =
      new Informer(world.cluster, Resource.PODS)
          .on(
              new Informer.Handler() {
                @Override
                public void changed(@Nullable Tree previous, Tree pod) {
                  world.bind(pod, pinnedTo(pod));
                }

                @Override
                public void removed(Tree pod) {}
              });

  @BeforeEach
  void start() {
    for (var name : List.of("n1", "n2", "n3")) {
      world.create(Resource.NODES, aNode(name));
    }
    world.start();
    binder.start();
  }

  @AfterEach
  void stop() {
    binder.close();
    world.close();
  }

  @Test
  void onePodOnEveryNodeThatFits() {
    var tainted = aNode("n4");
    tainted.child("spec").put("taints", List.of(Tree.of("key", "gpu", "effect", "NoSchedule")));
    world.create(Resource.NODES, tainted);
    world.create(Resource.DAEMON_SETS, set());
    awaitReady(3);
    assertThat(world.pods()).extracting(Pods::node).containsExactlyInAnyOrder("n1", "n2", "n3");
    world.create(Resource.NODES, aNode("n5"));
    awaitReady(4);
    world.cluster.edit(Resource.NODES, "", "n4", node -> node.child("spec").remove("taints"));
    awaitReady(5);
  }

  /// A node that refuses its daemon is asked again at once, after a second, after two more, …
  @Test
  void failedPodsAreReplacedMoreAndMoreSlowly() {
    var backoff = new FailedPodBackoff();
    var start = Instant.parse("2026-01-01T00:00:00Z");
    assertThat(backoff.take("a", "n1", start)).isZero();
    assertThat(backoff.take("a", "n1", start)).hasSeconds(1);
    assertThat(backoff.take("a", "n2", start)).isZero();
    assertThat(backoff.take("a", "n1", start.plusSeconds(1))).isZero();
    assertThat(backoff.take("a", "n1", start.plusSeconds(1))).hasSeconds(2);
    var at = start;
    for (int i = 0; i < 20; i++) {
      at = at.plus(backoff.take("a", "n1", at));
      assertThat(backoff.take("a", "n1", at)).isZero();
    }
    assertThat(backoff.take("a", "n1", at)).hasMinutes(15);
    assertThat(backoff.take("a", "n1", at.plusSeconds(1801))).isZero();
    assertThat(backoff.take("a", "n1", at.plusSeconds(1801))).hasSeconds(1);
  }

  /// One pod on each node is old and ready, and its successor is not ready yet: both stay, and the
  /// status is that of the old one.
  @Test
  void withSurgeTheOldPodStaysUntilTheNewOneIsAvailable() {
    var set = set();
    set.child("spec")
        .child("updateStrategy")
        .put("rollingUpdate", Tree.of("maxSurge", 1, "maxUnavailable", 0));
    world.create(Resource.DAEMON_SETS, set);
    awaitReady(3);
    world.cluster.edit(
        Resource.DAEMON_SETS,
        "default",
        "agent",
        s ->
            s.child("spec")
                .child("template")
                .child("metadata")
                .put("annotations", Tree.of("berth.io/ready-after", "10h")));
    world.await("one more", c -> c.all(Resource.PODS).size() == 4);
    world.settle();
    var status = world.get(Resource.DAEMON_SETS, "agent").treeOrEmpty("status");
    assertThat(world.pods()).hasSize(4);
    assertThat(status.number(0, "numberReady")).isEqualTo(3);
    assertThat(status.number(0, "updatedNumberScheduled")).isZero();
  }

  @Test
  void aTaintThatOnlyKeepsNewPodsAwayLeavesTheOldOnes() {
    world.create(Resource.DAEMON_SETS, set());
    awaitReady(3);
    taint("n1", "later", "NoSchedule");
    world.awaitObject(
        Resource.DAEMON_SETS, "agent", s -> s.number(0, "status", "numberMisscheduled") == 1);
    assertThat(world.pods()).hasSize(3);
  }

  @Test
  void aRevisionHasTheBytesThatClientsCompare() {
    var set = set();
    set.child("metadata").child("annotations").put("note", "kept");
    world.create(Resource.DAEMON_SETS, set);
    awaitReady(3);
    var revision = world.cluster.all(Resource.CONTROLLER_REVISIONS).getFirst();
    var template = revision.treeOrEmpty("data", "spec", "template");
    assertThat(template.names().iterator().next()).isEqualTo("$patch");
    assertThat(new ArrayList<>(template.names())).isSorted();
    assertThat(new ArrayList<>(template.treeOrEmpty("spec").names())).isSorted();
    assertThat(Meta.annotation(revision, "note")).isEqualTo("kept");
  }

  @Test
  void replacesOneAtATime() {
    world.create(Resource.DAEMON_SETS, set());
    awaitReady(3);
    var from = world.cluster.history().getLast().revision();
    world.cluster.edit(
        Resource.DAEMON_SETS,
        "default",
        "agent",
        s -> {
          s.trees("spec", "template", "spec", "containers")
              .getFirst()
              .put("image", "example/app:2");
          s.child("metadata").put("generation", 2);
        });
    world.awaitObject(
        Resource.DAEMON_SETS,
        "agent",
        s ->
            s.number(0, "status", "observedGeneration") == 2
                && s.number(0, "status", "updatedNumberScheduled") == 3
                && s.number(0, "status", "numberAvailable") == 3);
    var ready = new HashMap<String, Boolean>();
    for (var change : world.cluster.history()) {
      if (change.resource().equals("pods")) {
        ready.put(
            Meta.name(change.object()),
            Pods.isReady(change.object()) && !Meta.isDeleting(change.object()));
        if (change.revision() > from) {
          assertThat(ready.values().stream().filter(r -> r).count()).isGreaterThanOrEqualTo(2);
        }
      }
    }
  }

  private void awaitReady(long count) {
    world.awaitObject(
        Resource.DAEMON_SETS, "agent", s -> s.number(0, "status", "numberReady") == count);
  }

  private void taint(String node, String key, String effect) {
    world.cluster.edit(
        Resource.NODES,
        "",
        node,
        n -> n.child("spec").put("taints", List.of(Tree.of("key", key, "effect", effect))));
  }

  private static String pinnedTo(Tree pod) {
    var term =
        pod.trees(
                "spec",
                "affinity",
                "nodeAffinity",
                "requiredDuringSchedulingIgnoredDuringExecution",
                "nodeSelectorTerms")
            .getFirst();
    return String.valueOf(term.trees("matchFields").getFirst().list("values").getFirst());
  }

  private static Tree set() {
    var set = aWorkload("DaemonSet", "agent", 0);
    set.child("spec").remove("replicas");
    set.child("spec")
        .put(
            "updateStrategy",
            Tree.of("type", "RollingUpdate", "rollingUpdate", Tree.of("maxUnavailable", 1)));
    return set;
  }
}
