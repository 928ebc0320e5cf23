package io.berth.app;

import static io.berth.app.Stage.pod;
import static io.berth.app.Stage.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What Kubernetes' end-to-end tests ask of a scheduler: predicates, priorities and zones. Others
/// of them are in [PreemptionTest], [GangTest], [VolumesTest] and [AdmittedPodsTest].
class SchedulingTest {

  private static final String ROOM = "{cpu: \"4\", memory: 8Gi, pods: \"20\"}";
  private static final String NO_TAINTS = "[]";

  private static Stage stage;

  @BeforeAll
  static void start() throws Exception {
    stage = new Stage();
  }

  @AfterAll
  static void stop() throws Exception {
    stage.close();
  }

  @Test
  void resourceLimitsOfPodsThatMayRun() {
    stage.set("limits", 2, ROOM, NO_TAINTS);
    stage.create(pod("limits", "filler-1", requests("cpu: 3500m")));
    stage.create(pod("limits", "filler-2", requests("cpu: 3500m")));
    assertThat(List.of(running("limits", "filler-1"), running("limits", "filler-2")))
        .containsExactlyInAnyOrder("limits-1", "limits-2");

    stage.create(pod("limits", "additional", requests("cpu: 1")));

    assertThat(stage.awaitUnschedulable("limits", "additional")).contains("2 Insufficient cpu");
    stage.delete("limits", "filler-1");
    running("limits", "additional");
  }

  @Test
  void localEphemeralStorageIsLimited() {
    stage.set("local", 1, "{cpu: \"4\", memory: 8Gi, pods: \"20\", ephemeral-storage: 10Gi}", "[]");
    stage.create(pod("local", "filler", requests("ephemeral-storage: 8Gi")));
    running("local", "filler");

    stage.create(pod("local", "more", requests("ephemeral-storage: 4Gi")));

    assertThat(stage.awaitUnschedulable("local", "more"))
        .contains("1 Insufficient ephemeral-storage");
  }

  @Test
  void nodeSelectorAndAffinity() {
    stage.set("selector", 2, ROOM, NO_TAINTS);
    stage.create(pod("selector", "nowhere", "nodeSelector: {no: such}"));
    assertThat(stage.awaitUnschedulable("selector", "nowhere"))
        .contains("node(s) didn't match Pod's node affinity/selector");

    stage.create(pod("selector", "there", "nodeSelector: {kubernetes.io/hostname: selector-2}"));
    assertThat(running("selector", "there")).isEqualTo("selector-2");

    stage.create(
        pod(
            "selector",
            "affine",
            """
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions:
                    - {key: kubernetes.io/hostname, operator: In, values: [selector-1]}
            """));
    assertThat(running("selector", "affine")).isEqualTo("selector-1");
  }

  @Test
  void taintsAndTolerations() {
    stage.set("taints", 1, ROOM, "[{key: team, value: a, effect: NoSchedule}]");
    stage.create(pod("taints", "intolerant", ""));
    assertThat(stage.awaitUnschedulable("taints", "intolerant"))
        .contains("1 node(s) had untolerated taint(s)");

    stage.create(
        pod("taints", "tolerant", "tolerations: [{key: team, value: a, effect: NoSchedule}]"));

    assertThat(running("taints", "tolerant")).isEqualTo("taints-1");
  }

  @Test
  void hostPortsOfDifferentAddressesAndProtocolsDoNotConflict() {
    stage.set("ports", 1, ROOM, NO_TAINTS);
    stage.create(pod("ports", "one", port("127.0.0.1", "TCP")));
    stage.create(pod("ports", "two", port("127.0.0.2", "TCP")));
    stage.create(pod("ports", "three", port("127.0.0.2", "UDP")));
    running("ports", "one");
    running("ports", "two");
    running("ports", "three");

    stage.create(pod("ports", "any", port("0.0.0.0", "TCP")));

    assertThat(stage.awaitUnschedulable("ports", "any"))
        .contains("1 node(s) didn't have free ports for the requested pod ports");
  }

  @Test
  void fourPodsSpreadEvenlyOverTwoNodes() {
    stage.set("spread", 2, ROOM, NO_TAINTS);
    for (int i = 1; i <= 4; i++) {
      stage.create(
          pod(
              "spread",
              "web-" + i,
              """
              topologySpreadConstraints:
              - maxSkew: 1
                topologyKey: kubernetes.io/hostname
                whenUnsatisfiable: DoNotSchedule
                labelSelector: {matchLabels: {app: it}}
              """));
    }

    assertThat(IntStream.rangeClosed(1, 4).mapToObj(i -> running("spread", "web-" + i)))
        .containsExactlyInAnyOrder("spread-1", "spread-1", "spread-2", "spread-2");
  }

  @Test
  void gatedPodsWaitForTheLastGate() {
    stage.set("gates", 1, ROOM, NO_TAINTS);
    stage.create(pod("gates", "gated", "schedulingGates: [{name: one}, {name: two}]"));
    stage.create(pod("gates", "witness", ""));
    running("gates", "witness");
    stage.patchPod("gates", "gated", "spec: {schedulingGates: [{name: two}]}");
    stage.create(pod("gates", "second", ""));
    running("gates", "second");
    assertThat(stage.fetch(Resource.PODS, "gates", "gated").textOrEmpty("spec", "nodeName"))
        .isEmpty();

    stage.patchPod("gates", "gated", "spec: {schedulingGates: null}");

    running("gates", "gated");
  }

  @Test
  void podsAvoidNodesTheyWouldRatherNotBeOn() {
    stage.set("rather", 2, ROOM, NO_TAINTS);
    stage.create(pod("rather", "first", "nodeSelector: {kubernetes.io/hostname: rather-1}"));
    running("rather", "first");

    stage.create(
        pod(
            "rather",
            "second",
            """
            affinity:
              podAntiAffinity:
                preferredDuringSchedulingIgnoredDuringExecution:
                - weight: 100
                  podAffinityTerm:
                    topologyKey: kubernetes.io/hostname
                    labelSelector: {matchLabels: {app: it}}
            """));

    assertThat(running("rather", "second")).isEqualTo("rather-2");
  }

  @Test
  void podsPreferNodesWhoseTaintsTheyTolerate() {
    stage.set("soft", 1, ROOM, "[{key: busy, value: x, effect: PreferNoSchedule}]");
    stage.set("soft-free", 1, ROOM, NO_TAINTS);
    var either =
        """
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions: [{key: test, operator: In, values: [soft, soft-free]}]
        nodeSelector: {}
        """;
    stage.create(pod("soft", "intolerant", either));

    assertThat(running("soft", "intolerant")).isEqualTo("soft-free-1");
  }

  @Test
  void podsOfAServiceSpreadAcrossZones() {
    stage.set("zones", 2, ROOM, NO_TAINTS);
    stage.create(
        """
        kind: Service
        metadata: {namespace: zones, name: web}
        spec: {selector: {app: it}, ports: [{port: 80}]}
        """);
    for (int i = 1; i <= 4; i++) {
      stage.create(pod("zones", "web-" + i, ""));
    }

    assertThat(IntStream.rangeClosed(1, 4).mapToObj(i -> running("zones", "web-" + i)))
        .containsExactlyInAnyOrder("zones-1", "zones-1", "zones-2", "zones-2");
  }

  @Test
  void podsOfAReplicationControllerSpreadAcrossZones() {
    stage.set("controller", 2, ROOM, NO_TAINTS);
    stage.create(
        """
        kind: ReplicationController
        metadata: {namespace: controller, name: web}
        spec:
          replicas: 4
          selector: {app: web}
          template:
            metadata: {labels: {app: web}}
            spec:
              nodeSelector: {test: controller}
              containers: [{name: c, image: example/app:1}]
        """);

    stage.await("four pods run", () -> runningNodes("controller").size() == 4);
    assertThat(runningNodes("controller"))
        .containsExactlyInAnyOrder("controller-1", "controller-1", "controller-2", "controller-2");
  }

  @Test
  void podsPreferTheNodeThatMakesTheirSpreadMoreEven() {
    stage.set("even", 2, ROOM, NO_TAINTS);
    for (int i = 1; i <= 3; i++) {
      stage.create(pod("even", "settled-" + i, "nodeSelector: {kubernetes.io/hostname: even-1}"));
      running("even", "settled-" + i);
    }

    stage.create(
        pod(
            "even",
            "newcomer",
            """
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: kubernetes.io/hostname
              whenUnsatisfiable: ScheduleAnyway
              labelSelector: {matchLabels: {app: it}}
            """));

    assertThat(running("even", "newcomer")).isEqualTo("even-2");
  }

  private static List<String> runningNodes(String namespace) {
    return stage.pods(namespace).stream()
        .filter(pod -> pod.textOrEmpty("status", "phase").equals("Running"))
        .map(pod -> pod.textOrEmpty("spec", "nodeName"))
        .toList();
  }

  private static String running(String namespace, String pod) {
    return stage.awaitRunning(namespace, pod);
  }

  private static String port(String address, String protocol) {
    return """
    containers:
    - name: c
      image: example/app:1
      ports: [{containerPort: 80, hostPort: 8080, hostIP: %s, protocol: %s}]
    """
        .formatted(address, protocol);
  }
}
