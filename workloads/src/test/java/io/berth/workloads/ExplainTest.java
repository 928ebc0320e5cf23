package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Why a workload is where it is: every expression with who asked for it, every node with what is
/// in the way.
class ExplainTest {

  private static final String AFFINITY =
      "nodeAffinityRequired: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In,"
          + " values: [ssd]}]}]}";

  private final Api api;
  private final String project;

  ExplainTest() throws InterruptedException {
    this.api = new Api();
    api.node("a-0", Map.of("pool", "a", "disk", "ssd"));
    api.node("a-1", Map.of("pool", "a", "disk", "hdd"));
    api.node("b-0", Map.of("pool", "b", "disk", "ssd"));
    api.pool("pool-a", "pool", "a");
    api.pool("pool-b", "pool", "b");
    this.project = api.project("team", "pool-a");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void tellsTheUsersExpressionsFromThePools() {
    var role = explained("{image: python, %s}".formatted(AFFINITY));

    assertThat(sources(role)).containsExactly("disk user", "pool pool");
    assertThat(role.text("nodePools", "source")).isEqualTo("project");
    assertThat(nodes(role))
        .containsExactly(
            "a-0 true null null",
            "a-1 false disk In [ssd]: disk=hdd user",
            "b-0 false it is in node pool pool-b pool");
  }

  @Test
  void tellsWhatPolicyPreset() {
    var preset = Yaml.read("{nodePools: [pool-b, pool-a], %s}".formatted(AFFINITY));
    api.put(
        "/api/v2/policy/workspaces",
        Tree.of(
            "meta", Tree.of("scope", "project", "name", "p", "projectId", Long.parseLong(project)),
            "policy", Tree.of("defaults", preset)));

    var role = explained("{image: python, compute: {gpuDevicesRequest: 9}}");

    assertThat(sources(role)).containsExactly("disk policy", "pool pool", "pool pool");
    assertThat(role.text("nodePools", "source")).isEqualTo("policy");
    assertThat(nodes(role)).contains("a-1 false disk In [ssd]: disk=hdd policy");
  }

  @Test
  void tellsWhichNodesAreTooSmall() {
    var role = explained("{image: python, nodePools: [pool-b], compute: {gpuDevicesRequest: 9}}");

    assertThat(role.text("nodePools", "source")).isEqualTo("user");
    assertThat(nodes(role)).contains("b-0 false 9 nvidia.com/gpu: 8 of 8 free capacity");
  }

  @Test
  void strangersAreNotNamed() {
    api.project("other", "pool-a");
    for (var node : List.of("a-0", "a-1")) {
      takeAllOf(node);
    }
    var path = submitted("{image: python, compute: {gpuDevicesRequest: 8}}");
    var member = api.account("member", 5, "project", project);

    api.await(() -> text(path).contains("runai-other/train-a-0"));

    assertThat(api.as(member, "GET", path, null).answer().text())
        .contains("a pod you may not see", "a-0")
        .doesNotContain("runai-other", "train-a-");
  }

  private void takeAllOf(String node) {
    var gpus = Tree.of("requests", Tree.of("nvidia.com/gpu", "8"));
    var container = Tree.of("name", "c", "image", "x", "resources", gpus);
    api.cluster.create(
        Resource.PODS,
        Tree.of("metadata", Tree.of("namespace", "runai-other", "name", "train-" + node))
            .put("spec", Tree.of("nodeName", node, "containers", List.of(container))));
  }

  private String text(String path) {
    return api.get(path).answer().text();
  }

  @Test
  void tellsHowFarItHasCome() {
    var path = submitted("{image: python, compute: {gpuDevicesRequest: 9}}");

    api.await(() -> api.get(path).body().has("queue"));

    assertThat(api.get(path).body().trees("stages"))
        .extracting(stage -> stage.text("stage") + " " + stage.get("passed"))
        .containsExactly("policy true", "quota false", "queue true", "placement false");
    assertThat(first(path).text("placement", "verdict")).isEqualTo("never");
    assertThat(first(path).trees("placement", "causes"))
        .anySatisfy(cause -> assertThat(cause.text("source", "pool")).isEqualTo("pool-a"));
  }

  private Tree explained(String spec) {
    return first(submitted(spec));
  }

  /// Where the workload is explained, once somebody has looked at it.
  private String submitted(String spec) {
    var created =
        api.post(
            "/api/v1/workloads/workspaces",
            Tree.of(
                "name",
                "w",
                "projectId",
                project,
                "clusterId",
                api.clusterId(),
                "spec",
                Yaml.read(spec)));
    assertThat(created.code()).as(created.answer().text()).isEqualTo(202);
    var path = "/api/v1/workloads/%s/explain".formatted(created.body().text("workloadId"));
    api.await(() -> !first(path).trees("expressions").isEmpty());
    return path;
  }

  private Tree first(String path) {
    return api.get(path).body().trees("roles").getFirst();
  }

  private static List<String> sources(Tree role) {
    return role.trees("expressions").stream()
        .map(each -> each.text("expression", "key") + " " + each.text("source"))
        .toList();
  }

  private static List<String> nodes(Tree role) {
    return role.trees("nodes").stream()
        .map(each ->
            "%s %s %s %s"
                .formatted(
                    each.text("node"),
                    each.get("matches"),
                    each.text("obstacle"),
                    each.text("source")))
        .toList();
  }
}
