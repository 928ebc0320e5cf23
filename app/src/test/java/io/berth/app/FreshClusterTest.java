package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster.Simulation;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a new cluster has for charts that take it for granted, and what a bare one lacks.
class FreshClusterTest {

  private static final Resource INGRESS_CLASSES =
      new Resource("networking.k8s.io", "v1", "ingressclasses", "IngressClass", false);
  private static final Resource INGRESSES =
      new Resource("networking.k8s.io", "v1", "ingresses", "Ingress", true);

  private static final String CHART =
      """
      kind: StatefulSet
      metadata: {namespace: default, name: db}
      spec:
        serviceName: db
        replicas: 2
        persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}
        selector: {matchLabels: {app: db}}
        template:
          metadata: {labels: {app: db}}
          spec: {containers: [{name: c, image: "example/db:1"}]}
        volumeClaimTemplates:
        - metadata: {name: data}
          spec:
            accessModes: [ReadWriteOnce]
            resources: {requests: {storage: 1Gi}}
      ---
      kind: Service
      metadata: {namespace: default, name: front}
      spec: {type: LoadBalancer, selector: {app: db}, ports: [{port: 80}]}
      ---
      kind: Ingress
      metadata: {namespace: default, name: web}
      spec:
        ingressClassName: berth
        defaultBackend: {service: {name: front, port: {number: 80}}}
      """;

  private static final String AT_ONCE =
      """
      kind: StorageClass
      metadata: {name: at-once}
      provisioner: %s
      volumeBindingMode: Immediate
      ---
      kind: PersistentVolumeClaim
      metadata: {namespace: default, name: now}
      spec:
        storageClassName: at-once
        accessModes: [ReadWriteOnce]
        resources: {requests: {storage: 1Gi}}
      """;

  @Test
  void aChartFindsVolumesAndAddresses() throws Exception {
    try (var stage = new Stage(new Simulation(2, null, 1))) {
      stage.create(CHART);

      awaitRunning(stage, "db-0");
      awaitRunning(stage, "db-1");
      stage.await(
          "an address of the service", () -> !address(stage, Resource.SERVICES, "front").isEmpty());
      stage.await("an address of the ingress", () -> !address(stage, INGRESSES, "web").isEmpty());
      var volumes = stage.list(Resource.PERSISTENT_VOLUMES, "");
      assertThat(volumes)
          .extracting(volume -> volume.text("spec", "persistentVolumeReclaimPolicy"))
          .containsExactly("Delete", "Delete");

      stage.delete(Resource.STATEFUL_SETS, "default", "db");
      stage.await("volumes go", () -> stage.list(Resource.PERSISTENT_VOLUMES, "").isEmpty());
    }
  }

  @Test
  void aClaimOfAClassThatDoesNotWaitIsBoundAtOnce() throws Exception {
    try (var stage = new Stage(new Simulation(0, null, 1))) {
      var standard = stage.list(Resource.STORAGE_CLASSES, "").getFirst();
      stage.create(AT_ONCE.formatted(standard.textOrEmpty("provisioner")));
      stage.await(
          "the claim is bound", () -> claim(stage).textOrEmpty("status", "phase").equals("Bound"));
    }
  }

  @Test
  void noIngressClassIsTheDefault() throws Exception {
    try (var stage = new Stage(new Simulation(0, null, 1))) {
      assertThat(stage.list(INGRESS_CLASSES, ""))
          .singleElement()
          .extracting(found -> found.treeOrEmpty("metadata", "annotations"))
          .isEqualTo(new Tree());
    }
  }

  @Test
  void aBareClusterHasNoneOfIt() throws Exception {
    try (var stage = new Stage(new Simulation(1, null, 1, true))) {
      assertThat(stage.list(Resource.STORAGE_CLASSES, "")).isEmpty();
      assertThat(stage.list(INGRESS_CLASSES, "")).isEmpty();
      stage.create(CHART);
      awaitPod(stage, "db-0");
      assertThat(stage.awaitUnschedulable("default", "db-0"))
          .contains("pod has unbound immediate PersistentVolumeClaims");
      stage.create(AT_ONCE.formatted("disk.example.com"));
      stage.await(
          "the claim says whom it waits for",
          () ->
              claim(stage)
                  .textOrEmpty(
                      "metadata", "annotations", "volume.kubernetes.io/storage-provisioner")
                  .equals("disk.example.com"));
      assertThat(claim(stage).textOrEmpty("status", "phase")).isEqualTo("Pending");
      assertThat(address(stage, Resource.SERVICES, "front")).isEmpty();
      assertThat(address(stage, INGRESSES, "web")).isEmpty();
    }
  }

  private static void awaitRunning(Stage stage, String pod) {
    awaitPod(stage, pod);
    stage.awaitRunning("default", pod);
  }

  private static void awaitPod(Stage stage, String pod) {
    stage.await(pod + " is there", () -> stage.exists("default", pod));
  }

  private static Tree claim(Stage stage) {
    return stage.fetch(Resource.PERSISTENT_VOLUME_CLAIMS, "default", "now");
  }

  private static String address(Stage stage, Resource resource, String name) {
    List<Tree> points =
        stage.fetch(resource, "default", name).trees("status", "loadBalancer", "ingress");
    return points.isEmpty() ? "" : points.getFirst().textOrEmpty("ip");
  }
}
