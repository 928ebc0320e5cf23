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

/// What Kubernetes' end-to-end tests ask of a scheduler, on the embedded cluster: predicates,
/// priorities, zones, gangs and volumes. [PreemptionTest] has what concerns preemption.
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
  void aGangComesWholeOrNotAtAll() {
    stage.set("gang", 1, ROOM, NO_TAINTS);
    stage.create(
        """
        apiVersion: scheduling.k8s.io/v1beta1
        kind: PodGroup
        metadata: {namespace: gang, name: crew}
        spec: {schedulingPolicy: {gang: {minCount: 2}}}
        """);
    var member = "schedulingGroup: {podGroupName: crew}\n" + requests("cpu: 2");
    stage.create(pod("gang", "one", member));
    stage.create(pod("gang", "witness", requests("cpu: 1")));
    running("gang", "witness");
    stage.create(pod("gang", "two", member));
    stage.awaitUnschedulable("gang", "two");
    assertThat(stage.fetch(Resource.PODS, "gang", "one").textOrEmpty("spec", "nodeName")).isEmpty();

    stage.delete("gang", "witness");

    running("gang", "one");
    running("gang", "two");
  }

  @Test
  void aClaimGetsTheSmallestVolumeOfTheNodeThePodGoesTo() {
    stage.set("disks", 2, ROOM, NO_TAINTS);
    stage.create(
        """
        kind: StorageClass
        metadata: {name: local-disks}
        provisioner: kubernetes.io/no-provisioner
        volumeBindingMode: WaitForFirstConsumer
        """);
    stage.create(localVolume("small-on-1", "1Gi", "disks-1"));
    stage.create(localVolume("large-on-2", "9Gi", "disks-2"));
    stage.create(localVolume("medium-on-2", "5Gi", "disks-2"));
    stage.create(claim("disks", "data", "local-disks", "2Gi"));

    stage.create(pod("disks", "user", uses("data")));

    assertThat(running("disks", "user")).isEqualTo("disks-2");
    assertThat(volumeOf("disks", "data")).isEqualTo("medium-on-2");

    // The claims of two pods that come at once do not get the same volume.
    stage.create(claim("disks", "more", "local-disks", "2Gi"));
    stage.create(claim("disks", "too-much", "local-disks", "2Gi"));
    stage.create(pod("disks", "second", uses("more")));
    running("disks", "second");
    stage.create(pod("disks", "third", uses("too-much")));
    assertThat(stage.awaitUnschedulable("disks", "third"))
        .contains("node(s) didn't find available persistent volumes to bind");
    assertThat(volumeOf("disks", "more")).isEqualTo("large-on-2");
  }

  @Test
  void aClaimThatWaitsIsProvisionedForTheChosenNode() {
    stage.set("made", 2, ROOM, NO_TAINTS);
    stage.create(
        """
        kind: StorageClass
        metadata: {name: made-local}
        provisioner: local.csi.example.com
        volumeBindingMode: WaitForFirstConsumer
        """);
    stage.create(claim("made", "data", "made-local", "2Gi"));
    stage.create(pod("made", "user", uses("data")));

    var node = running("made", "user");

    var claim = stage.fetch(Resource.PERSISTENT_VOLUME_CLAIMS, "made", "data");
    assertThat(claim.text("metadata", "annotations", "volume.kubernetes.io/selected-node"))
        .isEqualTo(node);
    assertThat(volumeOf("made", "data")).startsWith("pvc-");
  }

  private static String running(String namespace, String pod) {
    return stage.awaitRunning(namespace, pod);
  }

  private static String volumeOf(String namespace, String claim) {
    return stage
        .fetch(Resource.PERSISTENT_VOLUME_CLAIMS, namespace, claim)
        .textOrEmpty("spec", "volumeName");
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

  private static String uses(String claim) {
    return "volumes: [{name: v, persistentVolumeClaim: {claimName: %s}}]\n".formatted(claim);
  }

  private static String claim(String namespace, String name, String storageClass, String size) {
    return """
    kind: PersistentVolumeClaim
    metadata: {namespace: %s, name: %s}
    spec:
      storageClassName: %s
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: %s}}
    """
        .formatted(namespace, name, storageClass, size);
  }

  private static String localVolume(String name, String size, String node) {
    return """
    kind: PersistentVolume
    metadata: {name: %s}
    spec:
      storageClassName: local-disks
      capacity: {storage: %s}
      accessModes: [ReadWriteOnce]
      persistentVolumeReclaimPolicy: Retain
      local: {path: /disks/%s}
      nodeAffinity:
        required:
          nodeSelectorTerms:
          - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [%s]}]
    """
        .formatted(name, size, name, node);
  }
}
