package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a project's node types and multi-node NVLink add to where pods may run: pool `fast` has
/// NVLink under a label of its own, pool `plain` has none.
class PlatformTest {

  private final Api api;

  PlatformTest() throws InterruptedException {
    this.api = new Api();
    api.node("fast", Map.of("pool", "fast", "clique", "c-1", "run.ai/type", "dgx"));
    api.node("plain", Map.of("pool", "plain", "run.ai/type", "small"));
    var fast = api.pool("fast", "pool", "fast");
    api.patch("/api/v1/node-pools/" + fast, Tree.of("gpuNetworkAccelerationLabelKey", "clique"));
    api.pool("plain", "pool", "plain");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void nodeTypesConfineWorkloadsThatNameNone() {
    var project = project("{nodeTypes: {workspace: [dgx, small], training: [small]}}", "");

    assertThat(affinity(pod("workspaces", project, "{nodePools: [plain]}")))
        .isEqualTo(
            json(
                """
                required:
                  nodeSelectorTerms:
                  - matchExpressions:
                    - {key: run.ai/type, operator: In, values: [dgx, small]}
                    - {key: pool, operator: In, values: [plain]}
                """));
    assertThat(affinity(pod("trainings", project, "{nodePools: [plain], nodeType: small}")))
        .isEqualTo(
            json(
                """
                required:
                  nodeSelectorTerms:
                  - matchExpressions: [{key: pool, operator: In, values: [plain]}]
                """));
    var refused = submit("trainings", "t", project, "{nodePools: [fast], nodeType: dgx}");
    assertThat(refused.message()).contains("\"dgx\" is none of the project's node types [small]");
  }

  @Test
  void nodeTypesOfADepartmentHoldForItsProjects() {
    var department =
        api.post(
                "/api/v1/org-unit/departments",
                Yaml.read("{name: research, nodeTypes: {training: [small]}, resources: []}")
                    .put("clusterId", api.clusterId()))
            .body()
            .textOrEmpty("id");
    var project = project("{}", department);

    assertThat(Json.text(affinity(pod("trainings", project, "{nodePools: [plain]}"))))
        .contains("\"run.ai/type\"");
    assertThat(Json.text(affinity(pod("workspaces", project, "{nodePools: [plain]}"))))
        .doesNotContain("\"run.ai/type\"");
  }

  @Test
  void distributedWorkloadsPreferNvlinkAndToShareIt() {
    var project = project("{}", "");
    var pod = pod("distributed", project, "{nodePools: [fast], compute: {gpuDevicesRequest: 1}}");

    assertThat(affinity(pod))
        .isEqualTo(
            json(
                """
                required:
                  nodeSelectorTerms:
                  - matchExpressions: [{key: pool, operator: In, values: [fast]}]
                preferred:
                  nodeSelectorTerms:
                  - weight: 1
                    preference: {matchExpressions: [{key: clique, operator: Exists}]}
                """));
    var stored = api.cluster.fetch(Resource.PODS, "runai-team", pod.textOrEmpty("name"));
    var together =
        stored.trees(
            "spec", "affinity", "podAffinity", "preferredDuringSchedulingIgnoredDuringExecution");
    assertThat(together).hasSize(1);
    assertThat(together.getFirst().at("podAffinityTerm", "topologyKey")).isEqualTo("clique");
    assertThat(together.getFirst().number(0, "weight")).isEqualTo(1);
  }

  @Test
  void nvlinkIsNotPreferredWhereItIsNotOrNotWanted() {
    var project = project("{}", "");
    var gpu = "compute: {gpuDevicesRequest: 1}";

    for (var spec :
        List.of(
            "{nodePools: [plain], " + gpu + "}",
            "{nodePools: [fast]}",
            "{nodePools: [fast], labels: [{name: run.ai/MNNVL, value: None}], " + gpu + "}")) {
      assertThat(affinity(pod("distributed", project, spec)).get("preferred")).isNull();
    }
    assertThat(
            affinity(pod("trainings", project, "{nodePools: [fast], " + gpu + "}"))
                .get("preferred"))
        .isNull();
    assertThat(
            submit(
                    "distributed",
                    "odd",
                    project,
                    "{nodePools: [fast], labels: [{name: run.ai/MNNVL, value: Maybe}]}")
                .message())
        .contains("spec.labels: run.ai/MNNVL is \"Maybe\", which is none of None, Preferred");
  }

  @Test
  void requiredNvlinkIsPartOfEveryTerm() {
    var project = project("{}", "");
    var pod =
        pod(
            "distributed",
            project,
            "{nodePools: [fast], compute: {gpuDevicesRequest: 1},"
                + " labels: [{name: run.ai/MNNVL, value: Required}]}");

    assertThat(affinity(pod).trees("required", "nodeSelectorTerms"))
        .isEqualTo(
            json("""
            terms:
            - matchExpressions:
              - {key: clique, operator: Exists}
              - {key: pool, operator: In, values: [fast]}
            """)
                .trees("terms"));
  }

  // ---- below -----------------------------------------------------------------------------------

  private String project(String more, String department) {
    var body = Yaml.read(more);
    body.put("name", "team").put("clusterId", api.clusterId()).put("resources", List.of());
    if (!department.isEmpty()) {
      body.put("parentId", department);
    }
    return api.post("/api/v1/org-unit/projects", body).body().textOrEmpty("id");
  }

  private int number;

  /// The first pod of a new workload.
  private Tree pod(String type, String project, String spec) {
    var reply = submit(type, "w" + number++, project, spec);
    assertThat(reply.code()).as(reply.answer().text()).isEqualTo(202);
    var path = "/api/v1/workloads/%s/pods".formatted(reply.body().textOrEmpty("workloadId"));
    api.await(() -> !api.get(path).body().trees("pods").isEmpty());
    return api.get(path).body().trees("pods").getFirst();
  }

  private Api.Reply submit(String type, String name, String project, String spec) {
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
            Yaml.read(spec).put("image", "x")));
  }

  /// Without what is null.
  private static Tree affinity(Tree pod) {
    var affinity = pod.treeOrEmpty("nodeAffinity").copy();
    for (var field : List.copyOf(affinity.names())) {
      if (affinity.get(field) == null) {
        affinity.remove(field);
      }
    }
    return affinity;
  }

  private static Tree json(String yaml) {
    return Json.read(Json.text(Yaml.read(yaml)));
  }
}
