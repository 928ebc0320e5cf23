package io.berth.controllers.kubelet;

import static io.berth.testing.Samples.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.World;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Pods;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KubeletsTest {

  private final List<Kubelets> kubelets = new ArrayList<>();
  private final World world = new World(this::kubelets).withNodes(1).start();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void aReadinessGateIsToldAsItStands() {
    var pod = aPod("gated");
    pod.child("spec").put("readinessGates", List.of(Tree.of("conditionType", "example.com/lb")));
    world.create(Resource.PODS, pod);
    awaitReadyMessage(
        "corresponding condition of pod readiness gate \"example.com/lb\" does not exist.");
    world.cluster.edit(
        Resource.PODS,
        "default",
        "gated",
        known ->
            known
                .child("status")
                .childList("conditions")
                .add(Tree.of("type", "example.com/lb", "status", "Unknown")));
    awaitReadyMessage(
        "the status of pod readiness gate \"example.com/lb\" is not \"True\", but Unknown");
  }

  private void awaitReadyMessage(String message) {
    world.awaitObject(
        Resource.PODS,
        "gated",
        pod -> {
          var ready = Conditions.find(pod, "Ready");
          return ready != null && message.equals(ready.text("message"));
        });
  }

  @Test
  void takesOverANodeAndBeats() {
    world.awaitObject(Resource.NODES, "node-1", node -> Conditions.isTrue(node, "Ready"));
    var node = world.get(Resource.NODES, "node-1");

    assertThat(node.text("status", "allocatable", "cpu")).isEqualTo("4");
    assertThat(node.text("metadata", "labels", "kubernetes.io/hostname")).isEqualTo("node-1");
    world.await("lease", c -> c.find(Resource.LEASES, "kube-node-lease", "node-1").isPresent());
    var first = renewed();
    world.advance(Duration.ofSeconds(11));
    world.await("renewal", _ -> !renewed().equals(first));
  }

  @Test
  void beatsOnWhenTheClockIsSetBack() {
    world.await("lease", c -> c.find(Resource.LEASES, "kube-node-lease", "node-1").isPresent());
    var first = renewed();
    world.clock.setBack(Duration.ofHours(1));
    world.advance(Duration.ofSeconds(11));
    world.await("renewal", _ -> !renewed().equals(first));
  }

  @Test
  void runsAPodUntilItIsDeleted() {
    world.create(Resource.PODS, aPod("p"));
    world.awaitObject(Resource.PODS, "p", Pods::isReady);
    var pod = world.get(Resource.PODS, "p");

    assertThat(PodPhase.of(pod)).isEqualTo("Running");
    assertThat(pod.textOrEmpty("status", "podIP")).startsWith("10.128.0.");
    assertThat(pod.trees("status", "containerStatuses").getFirst().flag("ready")).isTrue();

    world.cluster.delete(Resource.PODS, "default", "p", DeleteOptions.DEFAULT);
    world.awaitGone(Resource.PODS, "p");
  }

  @Test
  void rejectsWhatDoesNotFit() {
    var big = aPod("big");
    big.trees("spec", "containers")
        .getFirst()
        .put("resources", Tree.of("requests", Tree.of("cpu", "3500m")));
    world.create(Resource.PODS, big);
    world.awaitObject(Resource.PODS, "big", Pods::isReady);
    var more = aPod("more");
    more.trees("spec", "containers")
        .getFirst()
        .put("resources", Tree.of("requests", Tree.of("cpu", "4")));
    world.create(Resource.PODS, more);
    world.awaitObject(Resource.PODS, "more", pod -> PodPhase.of(pod).equals(PodPhase.FAILED));
    var status = world.get(Resource.PODS, "more").treeOrEmpty("status");

    assertThat(status.text("reason")).isEqualTo("OutOfcpu");
    assertThat(status.text("message"))
        .isEqualTo(
            "Pod was rejected: Node didn't have enough resource: cpu, requested: 4000, used: 3500,"
                + " capacity: 4000");
  }

  @Test
  void exitsAndRestartsAsToldByAnnotations() {
    var pod = aPod("crash");
    pod.child("metadata")
        .put("annotations", Tree.of("berth.io/run-for", "5s", "berth.io/exit-code", "3"));
    world.create(Resource.PODS, pod);
    world.awaitObject(Resource.PODS, "crash", Pods::isReady);
    world.advance(Duration.ofSeconds(6));
    world.awaitObject(Resource.PODS, "crash", p -> restarts(p) == 1);
    world.advance(Duration.ofSeconds(6));
    world.awaitObject(
        Resource.PODS,
        "crash",
        p -> state(p).textOrEmpty("waiting", "reason").equals("CrashLoopBackOff"));
    world.advance(Duration.ofSeconds(10));
    world.awaitObject(Resource.PODS, "crash", p -> restarts(p) == 2);
  }

  @Test
  void runsInitContainersFirst() {
    var pod = aPod("init");
    pod.child("metadata").put("annotations", Tree.of("berth.io/run-for.setup", "5s"));
    pod.child("spec")
        .put("initContainers", List.of(Tree.of("name", "setup", "image", "example/setup:1")));
    world.create(Resource.PODS, pod);
    world.awaitObject(
        Resource.PODS,
        "init",
        p -> state(p).textOrEmpty("waiting", "reason").equals("PodInitializing"));
    assertThat(Conditions.isTrue(world.get(Resource.PODS, "init"), "Initialized")).isFalse();
    world.advance(Duration.ofSeconds(6));
    world.awaitObject(Resource.PODS, "init", Pods::isReady);
  }

  @Test
  void aPartitionedNodeIsSilentAndItsPodsStay() {
    world.create(Resource.PODS, aPod("p"));
    world.awaitObject(Resource.PODS, "p", Pods::isReady);
    fail("partition");
    var before = renewed();
    world.cluster.delete(Resource.PODS, "default", "p", DeleteOptions.DEFAULT);
    world.advance(Duration.ofSeconds(60));
    assertThat(renewed()).isEqualTo(before);
    assertThat(world.cluster.find(Resource.PODS, "default", "p")).isPresent();

    fail(null);
    world.awaitGone(Resource.PODS, "p");
  }

  @Test
  void powerLossRestartsContainers() {
    world.create(Resource.PODS, aPod("p"));
    world.awaitObject(Resource.PODS, "p", Pods::isReady);
    fail("power-loss");
    world.create(Resource.PODS, aPod("later"));
    fail(null);
    world.awaitObject(Resource.PODS, "later", Pods::isReady);
    world.awaitObject(Resource.PODS, "p", pod -> restarts(pod) == 1 && Pods.isReady(pod));
  }

  @Test
  void activeDeadlineFailsThePod() {
    var pod = aPod("short");
    pod.child("spec").put("activeDeadlineSeconds", 5);
    world.create(Resource.PODS, pod);
    world.awaitObject(Resource.PODS, "short", Pods::isReady);
    world.advance(Duration.ofSeconds(6));
    world.awaitObject(
        Resource.PODS, "short", p -> "DeadlineExceeded".equals(p.text("status", "reason")));
  }

  private Kubelets kubelets(Environment environment) {
    var made = World.kubelets().apply(environment);
    kubelets.add(made);
    return made;
  }

  private void fail(@Nullable String how) {
    world.cluster.edit(
        Resource.NODES,
        "",
        "node-1",
        node -> node.child("metadata").child("annotations").put("berth.io/failure", how));
    world.await(
        "the kubelet has noticed",
        _ -> kubelets.stream().allMatch(k -> k.isUp("node-1") == (how == null)));
  }

  private String renewed() {
    return world
        .cluster
        .fetch(Resource.LEASES, "kube-node-lease", "node-1")
        .textOrEmpty("spec", "renewTime");
  }

  private static long restarts(Tree pod) {
    var statuses = pod.trees("status", "containerStatuses");
    return statuses.isEmpty() ? 0 : statuses.getFirst().number(0, "restartCount");
  }

  private static Tree state(Tree pod) {
    var statuses = pod.trees("status", "containerStatuses");
    return statuses.isEmpty() ? new Tree() : statuses.getFirst().treeOrEmpty("state");
  }
}
