package io.berth.app;

import static io.berth.app.Stage.pod;
import static io.berth.app.Stage.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What other objects make of a pod before it is placed: limit ranges, runtime classes, volumes.
class AdmittedPodsTest {

  private static final String ROOM = "{cpu: \"4\", memory: 8Gi, pods: \"20\"}";
  private static final String NO_TAINTS = "[]";
  private static final Resource LIMIT_RANGES =
      new Resource("", "v1", "limitranges", "LimitRange", true);

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
  void defaultsOfALimitRangeCountWhenAPodIsPlaced() {
    stage.set("range", 1, ROOM, NO_TAINTS);
    stage.create(
        """
        kind: LimitRange
        metadata: {namespace: range, name: usual}
        spec:
          limits:
          - {type: Container, defaultRequest: {cpu: 3}, default: {cpu: 3}, max: {cpu: 3}}
        """);
    stage.create(pod("range", "first", ""));
    stage.awaitRunning("range", "first");
    assertThat(
            stage
                .fetch(Resource.PODS, "range", "first")
                .trees("spec", "containers")
                .getFirst()
                .textOrEmpty("resources", "requests", "cpu"))
        .isEqualTo("3");

    stage.create(pod("range", "second", ""));

    assertThat(stage.awaitUnschedulable("range", "second")).contains("1 Insufficient cpu");
    assertThatThrownBy(() -> stage.create(pod("range", "third", limits("cpu: 4"))))
        .hasMessageContaining("maximum cpu usage per Container is 3");
  }

  @Test
  void limitRangesAreListedChangedAndDeleted() {
    stage.set("ranges", 1, ROOM, NO_TAINTS);
    stage.create(
        """
        kind: LimitRange
        metadata: {namespace: ranges, name: small, labels: {test: ranges}}
        spec: {limits: [{type: Container, max: {cpu: 1}}]}
        """);
    assertThat(stage.list(LIMIT_RANGES, "test=ranges")).hasSize(1);
    assertThatThrownBy(() -> stage.create(pod("ranges", "first", limits("cpu: 2"))))
        .hasMessageContaining("maximum cpu usage per Container is 1");

    stage.patch(
        LIMIT_RANGES, "ranges", "small", "spec: {limits: [{type: Container, max: {cpu: 2}}]}");
    stage.await("two processors are allowed", () -> isCreated("second"));
    stage.delete(LIMIT_RANGES, "ranges", "small");

    assertThat(stage.list(LIMIT_RANGES, "test=ranges")).isEmpty();
    stage.awaitRunning("ranges", "second");
  }

  // A real API server learns of the new limit a moment after it was written.
  private static boolean isCreated(String name) {
    try {
      stage.create(pod("ranges", name, limits("cpu: 2")));
      return true;
    } catch (ApiException e) {
      return false;
    }
  }

  @Test
  void overheadOfARuntimeClassTakesRoom() {
    stage.set("overhead", 1, ROOM, NO_TAINTS);
    stage.create(
        """
        kind: RuntimeClass
        metadata: {name: heavy}
        handler: heavy
        overhead: {podFixed: {cpu: 2}}
        """);
    var heavy = "runtimeClassName: heavy\n" + requests("cpu: 1");
    stage.create(pod("overhead", "first", heavy));
    stage.awaitRunning("overhead", "first");

    stage.create(pod("overhead", "second", heavy));
    stage.create(pod("overhead", "light", requests("cpu: 1")));

    assertThat(stage.awaitUnschedulable("overhead", "second")).contains("1 Insufficient cpu");
    stage.awaitRunning("overhead", "light");
  }

  @Test
  void aVolumeThatAlsoNamesNodesWhichAreNotThereIsNoHindrance() {
    stage.set("illegal", 2, ROOM, NO_TAINTS);
    stage.create(
        """
        kind: PersistentVolume
        metadata: {name: scattered}
        spec:
          storageClassName: ""
          capacity: {storage: 1Gi}
          accessModes: [ReadWriteOnce]
          local: {path: /disks/scattered}
          claimRef: {namespace: illegal, name: data}
          nodeAffinity:
            required:
              nodeSelectorTerms:
              - matchExpressions:
                - {key: kubernetes.io/hostname, operator: In, values: [no-such-node, illegal-2]}
        ---
        kind: PersistentVolumeClaim
        metadata: {namespace: illegal, name: data}
        spec:
          storageClassName: ""
          volumeName: scattered
          accessModes: [ReadWriteOnce]
          resources: {requests: {storage: 1Gi}}
        """);

    stage.create(
        pod("illegal", "user", "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]\n"));

    assertThat(stage.awaitRunning("illegal", "user")).isEqualTo("illegal-2");
  }

  private static String limits(String amounts) {
    return requests(amounts).replace("requests", "limits");
  }
}
