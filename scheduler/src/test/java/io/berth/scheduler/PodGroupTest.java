package io.berth.scheduler;

import static io.berth.scheduler.Samples.nodeTree;
import static io.berth.scheduler.Samples.podTree;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.api.Resource;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.codec.Yaml;
import io.berth.testing.FakeCluster;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Groups of pods on a cluster of two nodes with two cpus each.
class PodGroupTest {

  private final FakeCluster cluster = new FakeCluster(InstantSource.system());
  private final Scheduler scheduler =
      new Scheduler(cluster, SchedulerConfiguration.DEFAULT, InstantSource.system(), 1);

  @BeforeEach
  void start() throws InterruptedException {
    cluster.create(Resource.NODES, nodeTree("a", "2"));
    cluster.create(Resource.NODES, nodeTree("b", "2"));
    scheduler.start();
  }

  @AfterEach
  void stop() {
    scheduler.close();
  }

  @Test
  void aGangWaitsForItsObjectAndForEnoughPods() {
    member("one", "gang");
    member("two", "gang");
    lone("witness");
    awaitBound("witness");
    assertThat(unbound()).as("no such group yet").containsExactlyInAnyOrder("one", "two");

    group("gang", "schedulingPolicy: {gang: {minCount: 3}}");
    lone("second");
    awaitBound("second");
    assertThat(unbound()).as("two of three").containsExactlyInAnyOrder("one", "two");
  }

  @Test
  void aGangThatDoesNotFitIsNotHalfPlacedAndComesWhenThereIsRoom() {
    lone("x");
    lone("y");
    awaitBound("x", "y");
    group("gang", "schedulingPolicy: {gang: {minCount: 3}}");
    for (var name : List.of("p1", "p2", "p3")) {
      member(name, "gang");
    }
    awaitMessage("p3", "0/2 nodes are available: 2 Insufficient cpu.");
    awaitMessage(
        "p2",
        "minCount (3) cannot be satisfied: 2 scheduled, 0 remaining,"
            + " No preemption victims found for incoming preemptor");
    awaitGroup("gang", "False", "Unschedulable");
    assertThat(unbound()).containsExactlyInAnyOrder("p1", "p2", "p3");

    remove("x");

    awaitBound("p1", "p2", "p3");
    awaitGroup("gang", "True", "Scheduled");
  }

  @Test
  void podsBeyondTheCountMayStayBehindAndFollowLater() {
    group("gang", "schedulingPolicy: {gang: {minCount: 2}}");
    for (var name : List.of("a1", "a2", "a3", "a4", "a5")) {
      member(name, "gang");
    }
    awaitBound("a1", "a2", "a3", "a4");
    awaitMessage("a5", "0/2 nodes are available: 2 Insufficient cpu.");

    remove("a1");

    awaitBound("a5");
  }

  @Test
  void aBasicGroupTakesWhatItGets() {
    group("basic", "schedulingPolicy: {basic: {}}");
    member("one", "basic");
    awaitBound("one");
    member("two", "basic");
    awaitBound("two");
  }

  @Test
  void labelAndAnnotationMakeAGangWhereThereIsNoObject() {
    labelled("one", 2);
    lone("witness");
    awaitBound("witness");
    assertThat(unbound()).containsExactly("one");

    labelled("two", 2);

    awaitBound("one", "two");
  }

  @Test
  void aGangOfMixedPrioritiesIsAnError() {
    group("gang", "schedulingPolicy: {gang: {minCount: 1}}");
    cluster.create(
        Resource.PODS, podTree("odd", "priority: 7\nschedulingGroup: {podGroupName: gang}"));

    awaitMessage(
        "odd",
        "all pods in a single pod group should have the same priority as the pod group's priority,"
            + " got 7 and 0");
    awaitGroup("gang", "False", "SchedulerError");
  }

  @Test
  void aGangEvictsNoMoreThanItNeeds() {
    for (var name : List.of("w", "x", "y", "z")) {
      lone(name);
    }
    awaitBound("w", "x", "y", "z");
    group("gang", "priority: 10\n  schedulingPolicy: {gang: {minCount: 3}}");
    for (var name : List.of("one", "two", "three")) {
      cluster.create(
          Resource.PODS, podTree(name, "priority: 10\nschedulingGroup: {podGroupName: gang}"));
    }
    awaitTerminating(3);
    awaitGroup("gang", "False", "Unschedulable");
    assertThat(groupMessage("gang"))
        .endsWith("found a placement for podgroup, preempting 3 victims");

    finishTerminating();

    awaitBound("one", "two", "three");
    assertThat(cluster.all(Resource.PODS)).hasSize(4);
  }

  @Test
  void aGroupThatIsDisruptedWholeGoesWhole() {
    group("whole", "disruptionMode: {all: {}}\n  schedulingPolicy: {gang: {minCount: 2}}");
    group("single", "disruptionMode: {single: {}}\n  schedulingPolicy: {gang: {minCount: 2}}");
    for (var name : List.of("w1", "w2")) {
      member(name, "whole");
    }
    awaitBound("w1", "w2");
    for (var name : List.of("s1", "s2")) {
      member(name, "single");
    }
    awaitBound("s1", "s2");
    var node = node(pod("w1"));

    cluster.create(
        Resource.PODS,
        podTree("vip", "priority: 10\nnodeSelector: {kubernetes.io/hostname: %s}".formatted(node)));

    cluster.await("somebody is evicted", now -> !terminating().isEmpty());
    finishTerminatingUntilBound("vip");
    var left = cluster.all(Resource.PODS).stream().map(PodGroupTest::name).toList();
    if (left.contains("w1")) {
      assertThat(left).as("one of a single group went").hasSize(4).contains("w1", "w2");
    } else {
      assertThat(left).as("the whole group went").hasSize(3).contains("s1", "s2");
    }
  }

  private void group(String name, String spec) {
    cluster.create(
        Resource.POD_GROUPS,
        Yaml.read(
            """
            metadata: {namespace: default, name: %s}
            spec:
              %s
            """
                .formatted(name, spec)));
  }

  private void member(String name, String group) {
    cluster.create(
        Resource.PODS, podTree(name, "schedulingGroup: {podGroupName: %s}".formatted(group)));
  }

  private void labelled(String name, int minCount) {
    var pod = podTree(name, "");
    pod.child("metadata")
        .put("labels", Tree.of(Pod.GROUP_LABEL, "crew"))
        .put("annotations", Tree.of(Pod.MIN_COUNT_ANNOTATION, String.valueOf(minCount)));
    cluster.create(Resource.PODS, pod);
  }

  private void remove(String name) {
    cluster.delete(Resource.PODS, "default", name, new DeleteOptions(0, null, null));
  }

  private List<String> terminating() {
    return cluster.all(Resource.PODS).stream()
        .filter(pod -> pod.text("metadata", "deletionTimestamp") != null)
        .map(PodGroupTest::name)
        .toList();
  }

  private void awaitTerminating(int count) {
    cluster.await(count + " pods terminate", _ -> terminating().size() == count);
  }

  private void finishTerminating() {
    terminating().forEach(this::remove);
  }

  private void finishTerminatingUntilBound(String name) {
    cluster.await(
        name + " is bound",
        _ -> {
          finishTerminating();
          return !node(pod(name)).isEmpty();
        });
  }

  private void awaitGroup(String name, String status, String reason) {
    cluster.await(
        "group %s is %s because of %s".formatted(name, status, reason),
        _ ->
            cluster
                .fetch(Resource.POD_GROUPS, "default", name)
                .trees("status", "conditions")
                .stream()
                .anyMatch(condition ->
                    condition.textOrEmpty("status").equals(status)
                        && condition.textOrEmpty("reason").equals(reason)));
  }

  private void lone(String name) {
    cluster.create(Resource.PODS, podTree(name, ""));
  }

  private void awaitBound(String... names) {
    for (var name : names) {
      cluster.await(name + " is bound", now -> !node(pod(name)).isEmpty());
    }
  }

  private void awaitMessage(String name, String message) {
    cluster.await(
        name + " says " + message,
        now ->
            pod(name).trees("status", "conditions").stream()
                .anyMatch(condition -> condition.textOrEmpty("message").contains(message)));
  }

  private String groupMessage(String name) {
    return cluster
        .fetch(Resource.POD_GROUPS, "default", name)
        .trees("status", "conditions")
        .getFirst()
        .textOrEmpty("message");
  }

  private Tree pod(String name) {
    return cluster.fetch(Resource.PODS, "default", name);
  }

  private static String node(Tree pod) {
    return pod.textOrEmpty("spec", "nodeName");
  }

  private List<String> unbound() {
    return cluster.all(Resource.PODS).stream()
        .filter(pod -> node(pod).isEmpty())
        .map(PodGroupTest::name)
        .toList();
  }

  private static String name(Tree pod) {
    return pod.textOrEmpty("metadata", "name");
  }
}
