package io.berth.app;

import static io.berth.app.Stage.pod;
import static io.berth.app.Stage.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Resource;
import io.berth.api.Tree;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What Kubernetes' end-to-end tests ask of preemption and priorities.
class PreemptionTest {

  private static final String ROOM = "{cpu: \"4\", memory: 8Gi, pods: \"20\"}";
  private static final String NO_TAINTS = "[]";

  private static Stage stage;

  @BeforeAll
  static void start() throws Exception {
    stage = new Stage();
    stage.create(
        """
        kind: PriorityClass
        metadata: {name: low}
        value: 1
        ---
        kind: PriorityClass
        metadata: {name: mid}
        value: 100
        ---
        kind: PriorityClass
        metadata: {name: high}
        value: 1000
        """);
  }

  @AfterAll
  static void stop() throws Exception {
    stage.close();
  }

  @Test
  void importantPodsPreemptLessImportantOnes() {
    stage.set("preempt", 1, ROOM, NO_TAINTS);
    stage.create(pod("preempt", "victim", "priorityClassName: low\n" + requests("cpu: 3")));
    running("preempt", "victim");

    stage.create(pod("preempt", "vip", "priorityClassName: high\n" + requests("cpu: 3")));

    assertThat(running("preempt", "vip")).isEqualTo("preempt-1");
    stage.await("the victim is gone", () -> !stage.exists("preempt", "victim"));
  }

  @Test
  void preemptedPodsSayWhy() {
    stage.set("why", 1, ROOM, NO_TAINTS);
    // The finalizer keeps the victim, and what was written on it, to look at.
    stage.create(
        pod("why", "victim", "priorityClassName: low\n" + requests("cpu: 3"))
            .replace("labels:", "finalizers: [example.com/keep]\n  labels:"));
    running("why", "victim");

    stage.create(pod("why", "vip", "priorityClassName: high\n" + requests("cpu: 3")));

    stage.await(
        "the victim carries DisruptionTarget",
        () ->
            stage.fetch(Resource.PODS, "why", "victim").trees("status", "conditions").stream()
                .anyMatch(condition ->
                    condition.textOrEmpty("type").equals("DisruptionTarget")
                        && condition.textOrEmpty("reason").equals("PreemptionByScheduler")));
    stage.patchPod("why", "victim", "metadata: {finalizers: null}");
    running("why", "vip");
  }

  @Test
  void theMostImportantAreFirstInLineForWhatIsOnItsWayOut() {
    stage.set("line", 2, "{cpu: \"4\", memory: 8Gi, pods: \"20\"}", NO_TAINTS);
    for (int i = 0; i < 8; i++) {
      stage.create(
          pod("line", "low-" + i, "priorityClassName: low\n" + requests("cpu: 1"))
              .replace("labels:", "finalizers: [example.com/keep]\n  labels:"));
    }
    for (int i = 0; i < 8; i++) {
      running("line", "low-" + i);
    }
    for (int i = 0; i < 8; i++) {
      stage.create(pod("line", "mid-" + i, "priorityClassName: mid\n" + requests("cpu: 1")));
    }
    for (int i = 0; i < 8; i++) {
      var victim = "low-" + i;
      stage.await(
          victim + " is being deleted",
          () ->
              stage.fetch(Resource.PODS, "line", victim).text("metadata", "deletionTimestamp")
                  != null);
    }

    for (int i = 0; i < 4; i++) {
      stage.create(pod("line", "high-" + i, "priorityClassName: high\n" + requests("cpu: 1")));
    }
    // The room is free as soon as the containers have ended: the node may be theirs already.
    for (int i = 0; i < 4; i++) {
      var vip = "high-" + i;
      stage.await(
          vip + " has a node, or one to wait for",
          () -> {
            var pod = stage.fetch(Resource.PODS, "line", vip);
            return pod.text("status", "nominatedNodeName") != null
                || pod.text("spec", "nodeName") != null;
          });
    }

    for (int i = 0; i < 8; i++) {
      stage.patchPod("line", "low-" + i, "metadata: {finalizers: null}");
    }
    for (int i = 0; i < 4; i++) {
      running("line", "high-" + i);
    }
  }

  @Test
  void criticalPodsPreemptOrdinaryOnes() {
    stage.set("critical", 1, ROOM, NO_TAINTS);
    stage.create(pod("critical", "ordinary", "priorityClassName: high\n" + requests("cpu: 3")));
    running("critical", "ordinary");

    stage.create(
        pod("critical", "vital", "priorityClassName: system-node-critical\n" + requests("cpu: 3")));

    assertThat(running("critical", "vital")).isEqualTo("critical-1");
    stage.await("the other is gone", () -> !stage.exists("critical", "ordinary"));
  }

  @Test
  void replicaSetsYieldOnlyWhatMoreImportantOnesNeed() {
    stage.set("sets", 1, ROOM, NO_TAINTS);
    stage.create(replicaSet("sets", "modest", "low", 4));
    awaitRunning("sets", "modest", 4);

    stage.create(replicaSet("sets", "mighty", "high", 2));

    awaitRunning("sets", "mighty", 2);
    awaitRunning("sets", "modest", 2);
  }

  @Test
  void preemptionMindsTheSpreadOfWhoComes() {
    stage.set("skew", 2, ROOM, NO_TAINTS);
    stage.create(on("skew-1", spreading(pod("skew", "settled", "priorityClassName: high\n"))));
    stage.create(
        on("skew-1", pod("skew", "idle-1", "priorityClassName: low\n" + requests("cpu: 3"))));
    stage.create(
        on("skew-2", pod("skew", "idle-2", "priorityClassName: low\n" + requests("cpu: 3"))));
    running("skew", "settled");
    running("skew", "idle-1");
    running("skew", "idle-2");

    stage.create(
        spreading(pod("skew", "newcomer", "priorityClassName: high\n" + requests("cpu: 3"))));

    assertThat(running("skew", "newcomer")).as("skew-1 has one already").isEqualTo("skew-2");
    assertThat(stage.exists("skew", "idle-1")).isTrue();
  }

  @Test
  void podsOfThreePrioritiesPreemptInTheirOrder() {
    stage.set("three", 1, ROOM, NO_TAINTS);
    for (int i = 1; i <= 4; i++) {
      stage.create(pod("three", "low-" + i, "priorityClassName: low\n" + requests("cpu: 1")));
      running("three", "low-" + i);
    }

    for (int i = 1; i <= 2; i++) {
      stage.create(pod("three", "mid-" + i, "priorityClassName: mid\n" + requests("cpu: 1")));
      stage.create(pod("three", "high-" + i, "priorityClassName: high\n" + requests("cpu: 1")));
    }

    for (int i = 1; i <= 2; i++) {
      running("three", "mid-" + i);
      running("three", "high-" + i);
    }
    stage.await(
        "the least important are gone",
        () -> stage.pods("three").stream().noneMatch(pod -> name(pod).startsWith("low")));
  }

  @Test
  void priorityClassesAreListedChangedAndDeletedButTheirValueStays() {
    stage.create(
        """
        kind: PriorityClass
        metadata: {name: steady, labels: {test: endpoints}}
        value: 5
        """);
    assertThat(stage.list(Resource.PRIORITY_CLASSES, "test=endpoints")).hasSize(1);

    assertThatThrownBy(() -> stage.patch(Resource.PRIORITY_CLASSES, "", "steady", "value: 6"))
        .hasMessageContaining("value: Forbidden: may not be changed in an update.");
    var changed = stage.fetch(Resource.PRIORITY_CLASSES, "", "steady").copy();
    changed.put("value", 6L);
    assertThatThrownBy(() -> stage.update(Resource.PRIORITY_CLASSES, changed))
        .hasMessageContaining("value: Forbidden: may not be changed in an update.");
    stage.patch(Resource.PRIORITY_CLASSES, "", "steady", "description: unhurried");
    assertThat(stage.fetch(Resource.PRIORITY_CLASSES, "", "steady").textOrEmpty("description"))
        .isEqualTo("unhurried");

    stage.delete(Resource.PRIORITY_CLASSES, "", "steady");
    assertThat(stage.list(Resource.PRIORITY_CLASSES, "test=endpoints")).isEmpty();
  }

  private static String name(Tree pod) {
    return pod.textOrEmpty("metadata", "name");
  }

  private static String running(String namespace, String pod) {
    return stage.awaitRunning(namespace, pod);
  }

  private static void awaitRunning(String namespace, String set, int count) {
    stage.await(
        "%d pods of %s run".formatted(count, set),
        () ->
            stage.pods(namespace).stream()
                    .filter(pod -> pod.textOrEmpty("metadata", "name").startsWith(set))
                    .filter(pod -> pod.textOrEmpty("status", "phase").equals("Running"))
                    .filter(pod -> pod.textOrEmpty("metadata", "deletionTimestamp").isEmpty())
                    .count()
                == count);
  }

  /// The pod with a label, and the wish to have at most one more of its kind on a node than
  /// elsewhere.
  private static String spreading(String pod) {
    var constraint =
        """
        topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: DoNotSchedule
          labelSelector: {matchLabels: {spread: evenly}}
        """;
    return pod.replace("labels: {", "labels: {spread: evenly, ") + constraint.indent(2);
  }

  private static String on(String node, String pod) {
    return pod.replaceFirst(
        "nodeSelector: \\{.*}", "nodeSelector: {kubernetes.io/hostname: %s}".formatted(node));
  }

  private static String replicaSet(String namespace, String name, String priority, int replicas) {
    return """
    kind: ReplicaSet
    metadata: {namespace: %s, name: %s}
    spec:
      replicas: %d
      selector: {matchLabels: {set: %s}}
      template:
        metadata: {labels: {set: %s}}
        spec:
          priorityClassName: %s
          terminationGracePeriodSeconds: 1
          nodeSelector: {test: %s}
          containers: [{name: c, image: example/app:1, resources: {requests: {cpu: 1}}}]
    """
        .formatted(namespace, name, replicas, name, name, priority, namespace);
  }
}
