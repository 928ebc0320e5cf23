package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

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
            "a-1 false disk In [ssd] does not hold user",
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

    var role = explained("{image: python}");

    assertThat(sources(role)).containsExactly("disk policy", "pool pool", "pool pool");
    assertThat(role.text("nodePools", "source")).isEqualTo("policy");
    assertThat(nodes(role)).contains("a-1 false disk In [ssd] does not hold policy");
  }

  @Test
  void tellsWhichNodesAreTooSmall() {
    var role = explained("{image: python, nodePools: [pool-b], compute: {gpuDevicesRequest: 9}}");

    assertThat(role.text("nodePools", "source")).isEqualTo("user");
    assertThat(nodes(role)).contains("b-0 false it has 8 of the 9 GPUs capacity");
  }

  private Tree explained(String spec) {
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
    return first(path);
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
