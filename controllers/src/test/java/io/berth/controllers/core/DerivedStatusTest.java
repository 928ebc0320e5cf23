package io.berth.controllers.core;

import static io.berth.testing.Samples.aNode;
import static io.berth.testing.Samples.aPod;
import static io.berth.testing.Samples.aWorkload;
import static io.berth.testing.Samples.podSpec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.controllers.World;
import io.berth.controllers.apps.Deployments;
import io.berth.controllers.apps.ReplicaSets;
import io.berth.controllers.cloud.Cloud;
import io.berth.controllers.runtime.Meta;
import io.berth.testing.FakeCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Objects and statuses that follow from others: budgets, endpoints, quotas, volumes.
class DerivedStatusTest {

  private final World world =
      new World(
              Disruptions::new,
              Endpoints::new,
              ResourceQuotas::new,
              Cloud::volumes,
              StorageProtection::new,
              UnusedClaims::new,
              Deployments::new,
              ReplicaSets::replicaSets,
              World.kubelets())
          .withNodes(2)
          .start();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void aBudgetCountsAgainstTheScaleOfTheOwner() {
    world.create(Resource.DEPLOYMENTS, aWorkload("Deployment", "web", 4));
    world.create(
        Resource.POD_DISRUPTION_BUDGETS,
        named("web")
            .put(
                "spec",
                Tree.of("minAvailable", "50%")
                    .put("selector", Tree.of("matchLabels", Tree.of("app", "web")))));
    world.awaitObject(
        Resource.POD_DISRUPTION_BUDGETS,
        "web",
        budget ->
            budget.number(0, "status", "expectedPods") == 4
                && budget.number(0, "status", "currentHealthy") == 4
                && budget.number(0, "status", "desiredHealthy") == 2
                && budget.number(0, "status", "disruptionsAllowed") == 2);

    var alone = named("alone").put("spec", podSpec());
    alone.child("metadata").put("labels", Tree.of("app", "web"));
    world.create(Resource.PODS, alone);
    world.awaitObject(
        Resource.POD_DISRUPTION_BUDGETS,
        "web",
        budget ->
            budget.number(0, "status", "expectedPods") == 4
                && budget.number(0, "status", "currentHealthy") == 5
                && budget.number(0, "status", "disruptionsAllowed") == 3);
  }

  @Test
  void aServiceHasTheEndpointsOfItsReadyPods() {
    world.create(
        Resource.SERVICES,
        named("web")
            .put(
                "spec",
                Tree.of("selector", Tree.of("app", "web"))
                    .put("ports", List.of(Tree.of("port", 80, "targetPort", 8080)))));
    world.create(Resource.DEPLOYMENTS, aWorkload("Deployment", "web", 2));
    world.await("a slice with two endpoints", c -> ready(c) == 2);
    var slice = world.cluster.all(Resource.ENDPOINT_SLICES).getFirst();
    assertThat(slice.trees("ports").getFirst().number(0, "port")).isEqualTo(8080);
    assertThat(Meta.label(slice, "kubernetes.io/service-name")).isEqualTo("web");
    world.awaitObject(
        Resource.ENDPOINTS,
        "web",
        e -> e.trees("subsets").stream().mapToInt(s -> s.trees("addresses").size()).sum() == 2);
    world.cluster.delete(Resource.SERVICES, "default", "web", DeleteOptions.DEFAULT);
    world.awaitGone(Resource.ENDPOINTS, "web");
  }

  @Test
  void theSlicesOfAServiceFollowItsLabels() {
    world.create(Resource.SERVICES, service("web", 8080L));
    world.await("a slice", c -> !c.all(Resource.ENDPOINT_SLICES).isEmpty());
    world.cluster.edit(
        Resource.SERVICES,
        "default",
        "web",
        service -> service.child("metadata").put("labels", Tree.of("team", "a")));
    world.await(
        "the label",
        c -> "a".equals(Meta.label(c.all(Resource.ENDPOINT_SLICES).getFirst(), "team")));
    assertThat(Meta.labels(world.cluster.all(Resource.ENDPOINT_SLICES).getFirst()))
        .containsEntry("kubernetes.io/service-name", "web");
  }

  @Test
  void aNamedPortMayBeOfASidecarAndAPodWithoutItIsNoAddress() {
    var sidecar =
        Tree.of("name", "proxy", "image", "example/proxy:1", "restartPolicy", "Always")
            .put("ports", List.of(Tree.of("name", "http", "containerPort", 9090)));
    var proxied = labelled("proxied");
    proxied.child("spec").put("initContainers", List.of(sidecar));
    world.create(Resource.PODS, proxied);
    world.create(Resource.PODS, labelled("bare"));
    world.create(Resource.SERVICES, service("web", "http"));
    world.await("both pods are in slices", c -> ready(c) == 2);
    world.awaitObject(
        Resource.ENDPOINTS,
        "web",
        endpoints -> {
          var subsets = endpoints.trees("subsets");
          return subsets.size() == 1
              && subsets.getFirst().trees("addresses").size() == 1
              && subsets.getFirst().trees("ports").getFirst().number(0, "port") == 9090;
        });
  }

  @Test
  void aPodIsNoEndpointWithoutItsNode() {
    var lost = labelled("lost");
    lost.child("spec").put("nodeName", "nowhere");
    world.create(Resource.PODS, lost);
    world.cluster.edit(
        Resource.PODS,
        "default",
        "lost",
        pod ->
            pod.put(
                "status",
                Tree.of("podIP", "10.9.9.9", "phase", "Running")
                    .put("conditions", List.of(Tree.of("type", "Ready", "status", "True")))));
    world.create(Resource.SERVICES, service("web", 8080L));
    world.create(Resource.PODS, labelled("here"));
    world.await("the other pod is an endpoint", c -> endpoints(c).contains("here"));
    assertThat(endpoints(world.cluster)).containsExactly("here");
    world.create(Resource.NODES, aNode("nowhere"));
    world.await("both are", c -> ready(c) == 2);
  }

  private static List<String> endpoints(FakeCluster cluster) {
    return cluster.all(Resource.ENDPOINT_SLICES).stream()
        .flatMap(slice -> slice.trees("endpoints").stream())
        .map(endpoint -> endpoint.textOrEmpty("targetRef", "name"))
        .toList();
  }

  private static Tree labelled(String name) {
    var pod = aPod(name);
    pod.child("metadata").put("labels", Tree.of("app", "web"));
    return pod;
  }

  private static Tree service(String name, Object targetPort) {
    return named(name)
        .put(
            "spec",
            Tree.of("selector", Tree.of("app", "web"))
                .put("ports", List.of(Tree.of("port", 80, "targetPort", targetPort))));
  }

  @Test
  void aQuotaCountsWhatIsThereAndForgetsWhatIsGone() {
    world.create(
        Resource.RESOURCE_QUOTAS,
        named("q").put("spec", Tree.of("hard", Tree.of("pods", "5", "requests.cpu", "2"))));
    var pod = aPod("p");
    pod.trees("spec", "containers")
        .getFirst()
        .put("resources", Tree.of("requests", Tree.of("cpu", "300m")));
    world.create(Resource.PODS, pod);
    awaitUsed("1", "300m");
    world.cluster.delete(Resource.PODS, "default", "p", DeleteOptions.DEFAULT);
    awaitUsed("0", "0");
  }

  @Test
  void aClaimTakesTheSmallestVolumeThatFits() {
    world.create(Resource.PERSISTENT_VOLUMES, volume("large", "10Gi"));
    world.create(Resource.PERSISTENT_VOLUMES, volume("small", "2Gi"));
    world.create(Resource.PERSISTENT_VOLUMES, volume("tiny", "1Gi"));
    world.create(Resource.PERSISTENT_VOLUME_CLAIMS, claim("data", "2Gi", ""));
    world.awaitObject(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        "data",
        claim -> "Bound".equals(claim.text("status", "phase")));
    var bound = world.get(Resource.PERSISTENT_VOLUME_CLAIMS, "data");
    assertThat(bound.text("spec", "volumeName")).isEqualTo("small");
  }

  @Test
  void aClaimDoesNotGetAVolumeThatIsTooSmallByNamingIt() {
    world.create(Resource.PERSISTENT_VOLUMES, volume("small", "2Gi"));
    var asked = claim("data", "5Gi", "");
    asked.child("spec").put("volumeName", "small");
    world.create(Resource.PERSISTENT_VOLUME_CLAIMS, asked);
    awaitEvent(
        "VolumeMismatch", "Cannot bind to requested volume \"small\": requested PV is too small");
    assertThat(world.get(Resource.PERSISTENT_VOLUMES, "small").tree("spec", "claimRef")).isNull();
  }

  @Test
  void aClaimIsToldWhyItStaysPendingAndThatItsVolumeIsLost() {
    world.create(Resource.PERSISTENT_VOLUME_CLAIMS, claim("none", "1Gi", ""));
    awaitEvent(
        "FailedBinding",
        "no persistent volumes available for this claim and no storage class is set");
    world.create(Resource.PERSISTENT_VOLUME_CLAIMS, claim("unknown", "1Gi", "fast"));
    awaitEvent("ProvisioningFailed", "storageclass.storage.k8s.io \"fast\" not found");
    world.create(Resource.PERSISTENT_VOLUMES, volume("v", "1Gi"));
    world.awaitObject(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        "none",
        claim -> "Bound".equals(claim.text("status", "phase")));
    var late = claim("late", "1Gi", "");
    late.child("spec").put("volumeName", "v");
    world.create(Resource.PERSISTENT_VOLUME_CLAIMS, late);
    awaitEvent("FailedBinding", "volume \"v\" already bound to a different claim.");
    world.cluster.delete(Resource.PERSISTENT_VOLUMES, "", "v", DeleteOptions.DEFAULT);
    world.awaitObject(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        "none",
        claim -> "Lost".equals(claim.text("status", "phase")));
    awaitEvent(
        "ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
  }

  private void awaitEvent(String reason, String message) {
    world.await(
        message,
        c ->
            c.all(Resource.CORE_EVENTS).stream()
                .anyMatch(event ->
                    reason.equals(event.text("reason")) && message.equals(event.text("message"))));
  }

  @Test
  void aBoundClaimSaysWhetherAnyPodUsesIt() {
    world.create(Resource.PERSISTENT_VOLUMES, volume("small", "2Gi"));
    world.create(Resource.PERSISTENT_VOLUME_CLAIMS, claim("data", "2Gi", ""));
    awaitUnused("True");
    var pod = aPod("p");
    pod.child("spec")
        .put(
            "volumes",
            List.of(
                Tree.of("name", "v").put("persistentVolumeClaim", Tree.of("claimName", "data"))));
    world.create(Resource.PODS, pod);
    awaitUnused("False");
    world.cluster.delete(Resource.PODS, "default", "p", DeleteOptions.DEFAULT);
    awaitUnused("True");
  }

  private void awaitUnused(String status) {
    world.awaitObject(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        "data",
        claim ->
            claim.trees("status", "conditions").stream()
                .anyMatch(condition ->
                    condition.textOrEmpty("type").equals("Unused")
                        && condition.textOrEmpty("status").equals(status)));
  }

  @ParameterizedTest
  @CsvSource({"disk.csi.example.com, csi", "rancher.io/local-path, hostPath"})
  void aClassWithAProvisionerMakesAVolumeAndTakesItBack(String provisioner, String kind) {
    world.create(
        Resource.STORAGE_CLASSES,
        Tree.of("metadata", Tree.of("name", "fast"), "provisioner", provisioner)
            .put("reclaimPolicy", "Delete")
            .put("volumeBindingMode", "Immediate"));
    world.create(Resource.PERSISTENT_VOLUME_CLAIMS, claim("data", "3Gi", "fast"));
    world.awaitObject(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        "data",
        claim -> "Bound".equals(claim.text("status", "phase")));
    world.await(
        "the volume is bound",
        c -> c.all(Resource.PERSISTENT_VOLUMES).stream().allMatch(DerivedStatusTest::isBound));
    assertThat(world.cluster.all(Resource.PERSISTENT_VOLUMES))
        .allMatch(volume -> volume.tree("spec", kind) != null);
    world.cluster.delete(
        Resource.PERSISTENT_VOLUME_CLAIMS, "default", "data", DeleteOptions.DEFAULT);
    world.await("no volume is left", c -> c.all(Resource.PERSISTENT_VOLUMES).isEmpty());
  }

  @Test
  void aClaimCountsForTheAttributesItHasAndForThoseItAsksFor() {
    for (var wanted : List.of("gold", "silver")) {
      var scope = Tree.of("scopeName", "VolumeAttributesClass", "operator", "In");
      world.create(
          Resource.RESOURCE_QUOTAS,
          named(wanted)
              .put(
                  "spec",
                  Tree.of("hard", Tree.of("persistentvolumeclaims", "1"))
                      .put(
                          "scopeSelector",
                          Tree.of(
                              "matchExpressions", List.of(scope.put("values", List.of(wanted)))))));
    }
    var volume = volume("disk", "1Gi");
    volume.child("spec").put("volumeAttributesClassName", "gold");
    world.create(Resource.PERSISTENT_VOLUMES, volume("other", "1Gi"));
    world.create(Resource.PERSISTENT_VOLUMES, volume);
    var claim = claim("data", "1Gi", "");
    claim.child("spec").put("volumeAttributesClassName", "gold");
    world.create(Resource.PERSISTENT_VOLUME_CLAIMS, claim);
    world.awaitObject(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        "data",
        it -> "gold".equals(it.text("status", "currentVolumeAttributesClassName")));

    world.cluster.patch(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        "default",
        "data",
        null,
        PatchType.MERGE,
        Tree.of("spec", Tree.of("volumeAttributesClassName", "silver")));

    for (var used : List.of("gold", "silver")) {
      world.awaitObject(
          Resource.RESOURCE_QUOTAS,
          used,
          quota -> "1".equals(quota.text("status", "used", "persistentvolumeclaims")));
    }
  }

  private static boolean isBound(Tree volume) {
    return "Bound".equals(volume.text("status", "phase"));
  }

  private static long ready(FakeCluster cluster) {
    long ready = 0;
    for (var slice : cluster.all(Resource.ENDPOINT_SLICES)) {
      ready += slice.trees("endpoints").stream().filter(e -> e.flag("conditions", "ready")).count();
    }
    return ready;
  }

  private void awaitUsed(String pods, String cpu) {
    world.awaitObject(
        Resource.RESOURCE_QUOTAS,
        "q",
        quota ->
            pods.equals(quota.text("status", "used", "pods"))
                && cpu.equals(quota.text("status", "used", "requests.cpu")));
  }

  private static Tree named(String name) {
    return Tree.of("metadata", Tree.of("name", name, "namespace", "default"));
  }

  private static Tree volume(String name, String size) {
    return Tree.of("metadata", Tree.of("name", name))
        .put(
            "spec",
            Tree.of("capacity", Tree.of("storage", size), "accessModes", List.of("ReadWriteOnce")));
  }

  private static Tree claim(String name, String size, String storageClass) {
    return named(name)
        .put(
            "spec",
            Tree.of("accessModes", List.of("ReadWriteOnce"), "storageClassName", storageClass)
                .put("resources", Tree.of("requests", Tree.of("storage", size))));
  }
}
