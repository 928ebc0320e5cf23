package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Data sources that a policy gives to every workload.
class ImposedAssetsTest {

  private static final String WORKSPACES = "/api/v2/policy/workspaces";

  private final Api api;
  private final String project;
  private final String data;

  ImposedAssetsTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of());
    this.project = api.project("team", "default");
    this.data = asset("datasource/host-path", "data", "{path: /data, mountPath: /mnt}", "tenant");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void everyWorkloadGetsThem() {
    assertThat(impose(WORKSPACES, List.of(data)).code()).isEqualTo(200);

    var made = submit("workspaces", "{image: x}");

    var item = Tree.of("path", "/data", "mountPath", "/mnt", "name", "data");
    assertThat(made.body().list("spec", "storage", "hostPath")).containsExactly(item);
    api.await(() -> api.cluster.find(Resource.PODS, "runai-team", "w-0-0").isPresent());
    var pod = api.cluster.fetch(Resource.PODS, "runai-team", "w-0-0");
    assertThat(pod.trees("spec", "volumes").getFirst().text("hostPath", "path")).isEqualTo("/data");
    assertThat(
            pod.trees("spec", "containers")
                .getFirst()
                .trees("volumeMounts")
                .getFirst()
                .text("mountPath"))
        .isEqualTo("/mnt");
  }

  @Test
  void nobodyLeavesThemOutOrChangesThem() {
    impose(WORKSPACES, List.of(data));

    for (var item : List.of("{name: data, exclude: true}", "{name: data, path: /other}")) {
      var refused = submit("workspaces", "{image: x, storage: {hostPath: [%s]}}".formatted(item));

      assertThat(refused.code()).isEqualTo(400);
      assertThat(refused.body().trees("complianceIssues").getFirst())
          .isEqualTo(
              Tree.of(
                  "field", "storage.hostPath",
                  "details", "the administrator prohibited modifying item 'data'",
                  "rule", "locked"));
    }
    var added = submit("workspaces", "{image: x, storage: {hostPath: [{name: own, path: /own}]}}");
    assertThat(added.body().trees("spec", "storage", "hostPath"))
        .extracting(each -> each.text("name"))
        .containsExactly("data", "own");
  }

  @Test
  void rolesHaveTheirOwn() {
    var claim = asset("datasource/pvc", "claim", "{claimName: c, path: /c}", "tenant");
    var set =
        impose(
            "/api/v2/policy/distributed",
            Tree.of("worker", List.of(data), "master", List.of(claim)));
    assertThat(set.code()).as(set.answer().text()).isEqualTo(200);
    assertThat(set.body().at("effective", "imposedAssets"))
        .isEqualTo(Tree.of("worker", List.of(data), "master", List.of(claim)));
    var body = submission("{image: x, distributedFramework: PyTorch, numWorkers: 1}");

    var made =
        api.post("/api/v1/workloads/distributed", body.put("masterSpec", Tree.of("image", "x")))
            .body();

    assertThat(made.list("spec", "storage", "hostPath")).hasSize(1);
    assertThat(made.list("masterSpec", "storage", "pvc")).hasSize(1);
    assertThat(made.list("masterSpec", "storage", "hostPath")).isEmpty();
  }

  @Test
  void theyAddUpOverScopes() {
    var own = asset("datasource/host-path", "own", "{path: /own, mountPath: /own}", "project");
    impose(WORKSPACES, List.of(data));
    api.put(
        WORKSPACES,
        Tree.of(
            "meta", Tree.of("scope", "project", "projectId", Long.valueOf(project), "name", "p"),
            "policy", Tree.of("imposedAssets", List.of(own, data))));

    assertThat(submit("workspaces", "{image: x}").body().trees("spec", "storage", "hostPath"))
        .extracting(each -> each.text("name"))
        .containsExactly("data", "own");
  }

  @Test
  void whatCannotBeImposedIsRefused() {
    var compute = asset("compute", "small", "{cpuCoreRequest: 1}", "tenant");
    var narrow = asset("datasource/host-path", "own", "{path: /own, mountPath: /own}", "project");
    var nothing = "71f69d83-ba66-4822-adf5-55ce55efd210";

    assertThat(impose(WORKSPACES, List.of(compute)).message())
        .isEqualTo(
            "imposedAssets: asset \"%s\" is of kind compute; only data sources can be imposed"
                .formatted(compute));
    for (var id : List.of(nothing, narrow)) {
      assertThat(impose(WORKSPACES, List.of(id)).message())
          .isEqualTo(
              "imposedAssets: there is no asset \"%s\" in this scope or above it".formatted(id));
    }
    assertThat(impose(WORKSPACES, Tree.of("worker", List.of(data))).message())
        .isEqualTo("imposedAssets must be a list of asset ids");
    assertThat(impose("/api/v2/policy/distributed", List.of(data)).message())
        .isEqualTo("imposedAssets must be an object of lists by role: master, worker");
  }

  @Test
  void whatIsImposedStays() {
    impose(WORKSPACES, List.of(data));

    assertThat(api.delete("/api/v1/asset/datasource/host-path/" + data).code()).isEqualTo(412);

    api.delete(WORKSPACES + "?scope=tenant");
    assertThat(api.delete("/api/v1/asset/datasource/host-path/" + data).code()).isEqualTo(202);
  }

  private Api.Reply impose(String path, Object assets) {
    return api.put(
        path,
        Tree.of(
            "meta", Tree.of("scope", "tenant", "name", "p"),
            "policy", Tree.of("imposedAssets", assets)));
  }

  private String asset(String kind, String name, String spec, String scope) {
    var meta = Tree.of("name", name, "scope", scope);
    if (scope.equals("project")) {
      meta.put("projectId", Long.valueOf(project));
    }
    return api.post("/api/v1/asset/" + kind, Tree.of("meta", meta, "spec", Yaml.read(spec)))
        .body()
        .textOrEmpty("meta", "id");
  }

  private Api.Reply submit(String type, String spec) {
    return api.post("/api/v1/workloads/" + type, submission(spec));
  }

  private Tree submission(String spec) {
    return Tree.of(
        "name", "w", "projectId", project, "clusterId", api.clusterId(), "spec", Yaml.read(spec));
  }
}
