package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two projects, each with eight GPUs of its own, share the sixteen of a pool, through the API.
class FairSharingTest {

  private Api api;
  private String first;
  private String second;

  @BeforeEach
  void start() throws InterruptedException {
    api = new Api();
    api.node("n-0", Map.of("pool", "p"));
    api.node("n-1", Map.of("pool", "p"));
    api.pool("pool-p", "pool", "p");
    first = api.project("first", "pool-p");
    second = api.project("second", "pool-p");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void aProjectGetsBackWhatItDeservesAndNothingMoreIsEvicted() {
    for (int i = 0; i < 4; i++) {
      train("t" + i, first, 4);
    }
    api.await(() -> started("runai-first") == 4);
    train("wants", second, 3);

    api.await(() -> isStarted("runai-second", "wants-0-0"));

    assertThat(started("runai-first")).isEqualTo(3);
  }

  @Test
  void aWorkloadThatFitsNowhereIsToldSo() {
    train("all", first, 8);
    train("rest", first, 8);
    api.await(() -> started("runai-first") == 2);
    var id = train("more", first, 8);

    api.await(() -> !workload(id).textOrEmpty("phaseMessage").isEmpty());

    assertThat(workload(id).textOrEmpty("phaseMessage"))
        .startsWith("0/2 nodes are available: ")
        .contains("Insufficient nvidia.com/gpu");
  }

  @Test
  void fractionsShareADevice() {
    for (int i = 0; i < 3; i++) {
      submit(
          "f" + i,
          first,
          "{image: x, compute: {gpuDevicesRequest: 1, gpuRequestType: portion, gpuPortionRequest:"
              + " 0.3}}");
    }
    api.await(() -> started("runai-first") == 3);

    for (int i = 0; i < 3; i++) {
      var annotations =
          api.cluster
              .fetch(Resource.PODS, "runai-first", "f%d-0-0".formatted(i))
              .at("metadata", "annotations", "berth.io/gpu-devices");
      assertThat(annotations).isEqualTo("0");
    }
  }

  private String train(String name, String project, int gpus) {
    return submit(name, project, "{image: x, compute: {gpuDevicesRequest: %d}}".formatted(gpus));
  }

  private String submit(String name, String project, String spec) {
    var reply =
        api.post(
            "/api/v1/workloads/trainings",
            Tree.of(
                "name",
                name,
                "projectId",
                project,
                "clusterId",
                api.clusterId(),
                "spec",
                Yaml.read(spec)));
    assertThat(reply.code()).as(reply.answer().text()).isEqualTo(202);
    return reply.body().textOrEmpty("workloadId");
  }

  private long started(String namespace) {
    return pods(namespace).stream().filter(FairSharingTest::isStarted).count();
  }

  private boolean isStarted(String namespace, String pod) {
    return api.cluster
        .find(Resource.PODS, namespace, pod)
        .filter(FairSharingTest::isStarted)
        .isPresent();
  }

  private static boolean isStarted(Tree pod) {
    return pod.trees("spec", "schedulingGates").isEmpty();
  }

  private List<Tree> pods(String namespace) {
    return api.cluster.all(Resource.PODS).stream()
        .filter(pod -> pod.textOrEmpty("metadata", "namespace").equals(namespace))
        .toList();
  }

  private Tree workload(String id) {
    return api.get("/api/v1/workloads/" + id).body();
  }
}
