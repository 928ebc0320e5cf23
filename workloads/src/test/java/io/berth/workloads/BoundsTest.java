package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import io.berth.workloads.state.BerthKinds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests that would cost everybody something, and records that would pile up.
class BoundsTest {

  private final Api api;
  private final String project;

  BoundsTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of("pool", "a"));
    api.node("m", Map.of("pool", "b"));
    api.pool("pool-a", "pool", "a");
    api.pool("pool-b", "pool", "b");
    this.project = api.project("team", "pool-a", "pool-b");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void aWorkloadHasTenThousandPodsAtMost() {
    for (var each :
        List.of(
            "distributed {image: x, numWorkers: 10000}",
            "distributed {image: x, numWorkers: 4294967296}",
            "trainings {image: x, parallelism: 10001}",
            "inferences {image: x, autoscaling: {minReplicas: 10001, maxReplicas: 10001}}",
            "distributed-inferences {replicas: 1000, workers: 1000, leader: {image: x}, worker:"
                + " {image: x}}")) {
      var words = each.split(" ", 2);
      var reply = api.submit("?dryRun=all", words[0], "w", project, Yaml.read(words[1]));
      assertThat(reply.code()).as(each).isEqualTo(400);
      assertThat(reply.message()).contains("10000 pods at most");
    }
    var most = Yaml.read("{image: x, numWorkers: 9999}");
    assertThat(api.submit("?dryRun=all", "distributed", "w", project, most).code()).isEqualTo(202);
  }

  @Test
  void whatStrangersMakeUpIsKeptInPart() {
    var path = "/api/v1/" + "x".repeat(60_000);
    for (int i = 0; i < 5_000; i++) {
      assertThat(api.send("POST", path, null, Map.of()).code()).isEqualTo(404);
    }

    var log =
        api.get(
                "/api/v1/audit/log?start=2000-01-01T00:00:00Z&end=2100-01-01T00:00:00Z"
                    + "&numberOfSamples=1000")
            .body();
    assertThat(log.number(0, "total")).isLessThan(4_000L);
    for (var entry : log.trees("audit_logs")) {
      assertThat(entry.textOrEmpty("url")).hasSizeLessThanOrEqualTo(1024);
      assertThat(entry.textOrEmpty("entity_type")).hasSizeLessThanOrEqualTo(1024);
    }
  }

  /// Whatever one asks for, the others get theirs.
  @Test
  void amountsThatNoNodeHasHoldUpNobody() {
    var amounts =
        List.of(
            "{gpuRequestType: portion, gpuPortionRequest: 0.9999999}",
            "{gpuRequestType: portion, gpuPortionRequest: 0.0000001}",
            "{gpuRequestType: memory, gpuMemoryRequest: '0'}",
            "{gpuRequestType: memory, gpuMemoryRequest: 9e99}",
            "{gpuDevicesRequest: 4294967297}",
            "{gpuDevicesRequest: 2147483648}",
            "{cpuCoreRequest: 1.0e+30}",
            "{cpuMemoryRequest: 9e99}",
            "{cpuMemoryRequest: 9E}",
            "{extendedResources: [{resource: a.io/b, quantity: 9e99}]}");
    for (int i = 0; i < amounts.size(); i++) {
      var reply =
          api.submit(
              "trainings", "x-" + i, project, "{image: x, compute: %s}".formatted(amounts.get(i)));
      assertThat(reply.code()).as(amounts.get(i)).isIn(202, 400);
    }

    api.submit("trainings", "w", project, "{image: x, compute: {gpuDevicesRequest: 1}}");

    api.await(() -> isStarted("w-0-0"));
    for (var path :
        List.of("/api/v1/workloads", "/api/v1/org-unit/projects", "/api/v1/workloads/pods")) {
      assertThat(api.get(path).code()).as(path).isEqualTo(200);
    }
  }

  @Test
  void amountsThatMeanNothingAreRefused() {
    for (var compute :
        List.of(
            "{gpuRequestType: portion, gpuPortionRequest: 0.0000001}",
            "{gpuRequestType: memory, gpuMemoryRequest: '0'}",
            "{gpuDevicesRequest: 4294967297}",
            "{cpuCoreRequest: 1.0e+30}")) {
      var reply =
          api.submit("trainings", "w", project, "{image: x, compute: %s}".formatted(compute));
      assertThat(reply.code()).as(compute).isEqualTo(400);
      assertThat(reply.message()).contains("spec.compute.");
    }
  }

  @Test
  void lengthsOfTimeMakeSense() {
    for (var scheduling :
        List.of(
            "{minGuaranteedRuntime: 999999999w}",
            "{timeBasedFairShare: {enabled: true, windowDuration: 1ns}}",
            "{timeBasedFairShare: {enabled: true, windowDuration: 999999999w}}",
            "{timeBasedFairShare: {enabled: true, decayHalfLife: 1us}}")) {
      var body = Tree.of("schedulingConfiguration", Yaml.read(scheduling));
      var reply = api.patch("/api/v1/node-pools/" + poolId(), body);
      assertThat(reply.code()).as(scheduling).isEqualTo(400);
      assertThat(reply.message()).contains("from 1s to 36500d");
    }
    var none = Tree.of("schedulingConfiguration", Yaml.read("{minGuaranteedRuntime: 0s}"));
    assertThat(api.patch("/api/v1/node-pools/" + poolId(), none).code()).isEqualTo(200);
  }

  private String poolId() {
    return api.get("/api/v1/node-pools?filterBy=name==pool-a")
        .body()
        .trees("nodepools")
        .getFirst()
        .textOrEmpty("id");
  }

  /// A real cluster stores what kubectl writes before anybody looks at it.
  @Test
  void aPoolWithNonsenseInItHoldsUpNobody() {
    api.cluster.edit(
        BerthKinds.NODE_POOLS,
        "",
        "pool-a",
        pool ->
            pool.child("spec")
                .put(
                    "schedulingConfiguration",
                    Yaml.read(
                        "{minGuaranteedRuntime: 999999999w999999999w, timeBasedFairShare: {enabled:"
                            + " true, windowType: tumbling, windowDuration: 1ns,"
                            + " tumblingWindowStartTime: noon}}")));

    api.submit("trainings", "w", project, "{image: x, nodePools: [pool-a]}");
    api.submit("trainings", "v", project, "{image: x, nodePools: [pool-b]}");

    api.await(() -> isStarted("w-0-0") && isStarted("v-0-0"));
  }

  private boolean isStarted(String pod) {
    return api.cluster
        .find(Resource.PODS, "runai-team", pod)
        .filter(each -> each.trees("spec", "schedulingGates").isEmpty())
        .isPresent();
  }

  @Test
  void whatWasDeletedTwoWeeksAgoIsForgotten() {
    delete("first");
    assertThat(deleted()).containsExactly("first");

    api.advance(Duration.ofDays(13));
    delete("second");
    assertThat(deleted()).containsExactlyInAnyOrder("first", "second");

    api.advance(Duration.ofDays(2));
    delete("third");
    api.await(() -> !deleted().contains("first"));
    assertThat(deleted()).containsExactlyInAnyOrder("second", "third");
  }

  private void delete(String name) {
    var reply = api.submit("trainings", name, project, "{image: x}");
    var id = reply.body().textOrEmpty("workloadId");
    api.await(() -> api.cluster.find(Resource.PODS, "runai-team", name + "-0-0").isPresent());
    api.delete("/api/v1/workloads/trainings/" + id);
    api.await(() -> {
      endPods();
      return deleted().contains(name);
    });
  }

  /// As kubelets do.
  private void endPods() {
    for (var pod : api.cluster.all(Resource.PODS)) {
      if (pod.text("metadata", "deletionTimestamp") != null) {
        api.cluster.delete(
            Resource.PODS,
            pod.textOrEmpty("metadata", "namespace"),
            pod.textOrEmpty("metadata", "name"),
            io.berth.cluster.Cluster.DeleteOptions.now(pod.textOrEmpty("metadata", "uid")));
      }
    }
  }

  private List<String> deleted() {
    return api.get("/api/v1/workloads?deleted=true").body().trees("workloads").stream()
        .map(workload -> workload.textOrEmpty("name"))
        .toList();
  }
}
