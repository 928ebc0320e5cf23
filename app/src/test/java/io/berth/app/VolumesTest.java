package io.berth.app;

import static io.berth.app.Stage.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Pods whose claims get their volumes when it is known where the pod goes.
class VolumesTest {

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
    if (!Stage.isEmbedded()) {
      provision("made", "data");
    }

    var node = running("made", "user");

    assertThat(chosenNode("made", "data")).isEqualTo(node);
    assertThat(volumeOf("made", "data")).isNotEmpty();
  }

  /// What a provisioner does: makes a volume for the claim on the node that was chosen for it.
  private static void provision(String namespace, String name) {
    stage.await("a node is chosen", () -> !chosenNode(namespace, name).isEmpty());
    var volume =
        localVolume("made-for-" + name, "2Gi", chosenNode(namespace, name))
            .replace("local-disks", "made-local");
    var claimed = "claimRef: {namespace: %s, name: %s}\n".formatted(namespace, name);
    stage.create(volume + claimed.indent(2));
  }

  private static String chosenNode(String namespace, String claim) {
    return annotations(namespace, claim).textOrEmpty("volume.kubernetes.io/selected-node");
  }

  private static Tree annotations(String namespace, String claim) {
    return stage
        .fetch(Resource.PERSISTENT_VOLUME_CLAIMS, namespace, claim)
        .treeOrEmpty("metadata", "annotations");
  }

  private static String running(String namespace, String pod) {
    return stage.awaitRunning(namespace, pod);
  }

  private static String volumeOf(String namespace, String claim) {
    return stage
        .fetch(Resource.PERSISTENT_VOLUME_CLAIMS, namespace, claim)
        .textOrEmpty("spec", "volumeName");
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
