package io.berth.scheduler;

import static io.berth.scheduler.Samples.nodeTree;
import static io.berth.scheduler.Samples.podTree;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.codec.Yaml;
import io.berth.testing.FakeCluster;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/// A claim whose provisioner does not answer, with a patience of one second.
class VolumeTimeoutTest {

  private final FakeCluster cluster = new FakeCluster(InstantSource.system());

  @Test
  void aPodWhoseVolumeDoesNotComeGivesItsPlaceBackAndIsTriedAgain() throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "1"));
    create(
        Resource.STORAGE_CLASSES,
        """
        metadata: {name: slow}
        provisioner: slow.example.com
        volumeBindingMode: WaitForFirstConsumer
        """);
    create(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        """
        metadata: {namespace: default, name: data}
        spec:
          storageClassName: slow
          accessModes: [ReadWriteOnce]
          resources: {requests: {storage: 1Gi}}
        """);
    cluster.create(
        Resource.PODS,
        podTree("user", "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"));
    var configuration = SchedulerConfigurationReader.read(Yaml.read(IMPATIENT));
    try (var scheduler = new Scheduler(cluster, configuration, InstantSource.system(), 1)) {
      scheduler.start();
      cluster.await(
          "the patience ends",
          _ ->
              message()
                  .equals(
                      "running PreBind plugin \"VolumeBinding\": binding volumes:"
                          + " context deadline exceeded"));
      assertThat(claim().textOrEmpty("metadata", "annotations", SELECTED)).isEqualTo("a");
      assertThat(node("user")).isEmpty();

      provision();

      cluster.await("the pod is bound", _ -> node("user").equals("a"));
    }
  }

  private void provision() {
    create(
        Resource.PERSISTENT_VOLUMES,
        """
        metadata: {name: late}
        spec:
          storageClassName: slow
          capacity: {storage: 1Gi}
          accessModes: [ReadWriteOnce]
          claimRef: {namespace: default, name: data, uid: %s}
        """
            .formatted(claim().textOrEmpty("metadata", "uid")));
    cluster.edit(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        "default",
        "data",
        claim -> {
          claim.child("spec").put("volumeName", "late");
          claim
              .child("metadata")
              .child("annotations")
              .put("pv.kubernetes.io/bind-completed", "yes");
        });
  }

  private void create(Resource resource, String yaml) {
    cluster.create(resource, Yaml.read(yaml));
  }

  private Tree claim() {
    return cluster.fetch(Resource.PERSISTENT_VOLUME_CLAIMS, "default", "data");
  }

  private String node(String pod) {
    return cluster.fetch(Resource.PODS, "default", pod).textOrEmpty("spec", "nodeName");
  }

  private String message() {
    return cluster.fetch(Resource.PODS, "default", "user").trees("status", "conditions").stream()
        .filter(condition -> condition.textOrEmpty("reason").equals("SchedulerError"))
        .map(condition -> condition.textOrEmpty("message"))
        .findFirst()
        .orElse("");
  }

  private static final String SELECTED = "volume.kubernetes.io/selected-node";

  private static final String IMPATIENT =
      """
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: KubeSchedulerConfiguration
      profiles:
      - schedulerName: default-scheduler
        pluginConfig:
        - name: VolumeBinding
          args: {bindTimeoutSeconds: 1}
      """;
}
