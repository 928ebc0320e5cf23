package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Many requests at the same time: one of them gets a name, and no change is lost.
class AtOnceTest {

  private final Api api;
  private final String project;

  AtOnceTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of("pool", "a"));
    api.pool("pool-a", "pool", "a");
    this.project = api.project("team", "default", "pool-a");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void oneNameIsOneWorkload() throws Exception {
    var requests = new ArrayList<Callable<Integer>>();
    for (var type : List.of("trainings", "workspaces", "distributed", "inferences")) {
      for (int i = 0; i < 3; i++) {
        requests.add(() -> submit(type, "same").code());
      }
    }

    assertThat(codes(requests)).containsOnlyOnce(202).containsOnly(202, 400);
  }

  @Test
  void oneLabelIsOnePool() throws Exception {
    var requests = new ArrayList<Callable<Integer>>();
    for (int i = 0; i < 8; i++) {
      var body =
          Tree.of(
              "name",
              "p-" + i,
              "labelKey",
              "pool",
              "labelValue",
              "b",
              "clusterId",
              api.clusterId());
      requests.add(() -> api.post("/api/v1/node-pools", body).code());
    }

    assertThat(codes(requests)).containsOnlyOnce(201).containsOnly(201, 400);
  }

  @Test
  void quotasOfTwoPoolsAreChangedAtOnce() throws Exception {
    var path = "/api/v1/org-unit/projects/%s/resources".formatted(project);
    var requests = new ArrayList<Callable<Integer>>();
    for (var pool : List.of("default", "pool-a")) {
      var share = Tree.of("nodePool", Tree.of("name", pool), "gpu", Tree.of("deserved", 3L));
      requests.add(() -> api.patch(path, List.of(share)).code());
    }

    assertThat(codes(requests)).containsOnly(200);
    assertThat(Tree.of("list", api.get(path).value()).trees("list"))
        .extracting(share -> share.at("gpu", "deserved"))
        .containsOnly(3L);
  }

  @Test
  void changesOfOneInferenceAddUp() throws Exception {
    var id = submit("inferences", "serve").body().textOrEmpty("workloadId");
    var requests = new ArrayList<Callable<Integer>>();
    for (var spec :
        List.of(
            Tree.of("image", "next"),
            Tree.of("args", "a b"),
            Tree.of("compute", Tree.of("cpuCoreRequest", 1L)))) {
      requests.add(
          () -> api.patch("/api/v1/workloads/inferences/" + id, Tree.of("spec", spec)).code());
    }

    assertThat(codes(requests)).containsOnly(202);
    var spec = api.get("/api/v1/workloads/inferences/" + id).body().treeOrEmpty("spec");
    assertThat(spec.text("image")).isEqualTo("next");
    assertThat(spec.text("args")).isEqualTo("a b");
    assertThat(spec.at("compute", "cpuCoreRequest")).isEqualTo(1L);
  }

  private Api.Reply submit(String type, String name) {
    return api.post(
        "/api/v1/workloads/" + type,
        Tree.of(
            "name",
            name,
            "projectId",
            project,
            "clusterId",
            api.clusterId(),
            "spec",
            Tree.of("image", "x")));
  }

  private static List<Integer> codes(List<Callable<Integer>> requests) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var codes = new ArrayList<Integer>();
      for (var each : threads.invokeAll(requests)) {
        codes.add(each.get());
      }
      return codes;
    }
  }
}
