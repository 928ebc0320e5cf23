package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Masters that differ from their workers.
class RolesOfGangsTest {

  private final Api api;
  private final String project;

  RolesOfGangsTest() throws InterruptedException {
    this.api = new Api();
    api.node("n-a", Map.of("pool", "a"));
    api.node("n-b", Map.of("pool", "b"));
    api.pool("pool-a", "pool", "a");
    api.pool("pool-b", "pool", "b");
    this.project = api.project("team", "pool-a", "pool-b");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void aGangNeedsAPoolThatAllItsRolesMayUse() {
    var reply = submit("{image: x, nodePools: [pool-a]}", "{image: x, nodePools: [pool-b]}");

    assertThat(reply.code()).isEqualTo(400);
    assertThat(reply.message())
        .isEqualTo(
            "Bad request - masterSpec.nodePools: a gang runs in one node pool, and pool-b is none"
                + " of those of spec.nodePools, pool-a");
  }

  /// Whichever role may use more pools: pods of both go to the one that was chosen.
  @Test
  void everyRoleIsConfinedToThePoolOfTheGang() {
    assertThat(submit("{image: x, nodePools: [pool-a, pool-b]}", "{image: x, nodePools: [pool-b]}"))
        .extracting(Api.Reply::code)
        .isEqualTo(202);

    api.await(() -> isConfined("g-master-0-0", "b") && isConfined("g-worker-0-0", "b"));
  }

  @Test
  void thePoolsOfAGangAreThoseOfAllItsRoles() {
    assertThat(submit("{image: x, nodePools: [pool-b]}", "{image: x, nodePools: [pool-a, pool-b]}"))
        .extracting(Api.Reply::code)
        .isEqualTo(202);

    api.await(() -> isConfined("g-master-0-0", "b") && isConfined("g-worker-0-0", "b"));
  }

  /// Whether nothing but the nodes of one pool is left to a pod that may start.
  private boolean isConfined(String name, String value) {
    var pod = api.cluster.find(Resource.PODS, "runai-team", name);
    return pod.isPresent()
        && pod.get().trees("spec", "schedulingGates").isEmpty()
        && (value.equals(pod.get().at("spec", "nodeSelector", "pool"))
            || pod
                .get()
                .trees(
                    "spec",
                    "affinity",
                    "nodeAffinity",
                    "requiredDuringSchedulingIgnoredDuringExecution",
                    "nodeSelectorTerms")
                .stream()
                .allMatch(term ->
                    term.trees("matchExpressions").getLast().list("values").contains(value)));
  }

  @Test
  void aMasterOfItsOwnNeedsAnImage() {
    var reply = submit("{image: x}", "{compute: {gpuDevicesRequest: 1}}");

    assertThat(reply.code()).isEqualTo(400);
    assertThat(reply.message())
        .isEqualTo(
            "Bad request - masterSpec.image: an image is required; neither the request nor policy"
                + " or template gives one");
  }

  @Test
  void aMasterThatOnlyPolicySpeaksOfIsLikeTheWorkers() {
    var policy =
        Tree.of(
            "meta", Tree.of("name", "p", "scope", "tenant"),
            "policy", Yaml.read("defaults: {master: {compute: {cpuCoreRequest: 2}}}"));
    assertThat(api.put("/api/v2/policy/distributed", policy).code()).isEqualTo(200);

    var reply = api.submit("distributed", "g", project, "{image: x}");

    assertThat(reply.code()).isEqualTo(202);
    assertThat(reply.body().get("masterSpec")).isNull();
  }

  private Api.Reply submit(String worker, String master) {
    return api.post(
        "/api/v1/workloads/distributed",
        Tree.of(
            "name", "g",
            "projectId", project,
            "clusterId", api.clusterId(),
            "spec", Yaml.read(worker),
            "masterSpec", Yaml.read(master)));
  }
}
