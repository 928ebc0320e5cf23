package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrganizationTest {

  private static final String PROJECTS = "/api/v1/org-unit/projects";

  private Api api;

  @BeforeEach
  void start() throws InterruptedException {
    api = new Api();
    api.node("a-0", Map.of("pool", "a"));
    api.node("b-0", Map.of("pool", "b"));
    api.node("c-0", Map.of());
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void nodesAreInThePoolOfTheirLabel() {
    api.pool("pool-a", "pool", "a");

    assertThat(poolOf("a-0")).isEqualTo("pool-a");
    assertThat(poolOf("b-0")).isEqualTo("default");
    var pools = api.get("/api/v1/node-pools?sortBy=name&sortOrder=desc").body().trees("nodepools");
    assertThat(pools).extracting(pool -> pool.text("name")).containsExactly("pool-a", "default");
    assertThat(pools).extracting(pool -> pool.text("phase")).containsOnly("Ready");
  }

  private String poolOf(String node) {
    return api.get("/api/v1/nodes?filterBy=name==" + node)
        .body()
        .trees("nodes")
        .getFirst()
        .textOrEmpty("nodePool");
  }

  @Test
  void aPoolsLabelIsItsOwn() {
    api.pool("pool-a", "pool", "a");
    var again =
        api.post(
            "/api/v1/node-pools",
            Tree.of(
                "name", "pool-x",
                "labelKey", "pool",
                "labelValue", "a",
                "clusterId", api.clusterId()));

    assertThat(again.code()).isEqualTo(400);
    assertThat(again.message())
        .isEqualTo("Bad request - label pool=a already belongs to node pool \"pool-a\"");
  }

  /// Without it, nothing could be submitted to the department's projects.
  @Test
  void aPoolThatADepartmentUsesByDefaultStays() {
    var pool = api.pool("pool-a", "pool", "a");
    var departments = "/api/v1/org-unit/departments";
    var body =
        Tree.of(
            "name", "d",
            "clusterId", api.clusterId(),
            "defaultNodePools", List.of("pool-a"),
            "resources", List.of());
    var id = api.post(departments, body).body().textOrEmpty("id");

    var refused = api.delete("/api/v1/node-pools/" + pool);

    assertThat(refused.code()).isEqualTo(400);
    assertThat(refused.message())
        .isEqualTo(
            "Bad request - node pool \"pool-a\" is a default of department d; remove it there"
                + " first");
    assertThat(api.delete(departments + "/" + id).code()).isEqualTo(204);
    assertThat(api.delete("/api/v1/node-pools/" + pool).code()).isEqualTo(204);
  }

  @Test
  void theLabelOfAcceleratedNodesIsALabel() {
    var body =
        Tree.of(
            "name", "p",
            "labelKey", "pool",
            "labelValue", "b",
            "gpuNetworkAccelerationLabelKey", "not a label",
            "clusterId", api.clusterId());

    assertThat(api.post("/api/v1/node-pools", body).message())
        .isEqualTo(
            "Bad request - gpuNetworkAccelerationLabelKey: \"not a label\" is no Kubernetes label"
                + " key");
  }

  /// Clients read these as closed lists: one word beside them, and they read nothing.
  @Test
  void theAuditLogSaysWhatClientsUnderstand() {
    api.with(Map.of(), "OPTIONS", PROJECTS, null);
    api.send("HEAD", PROJECTS, null, Map.of());
    api.project("team", "default");
    var id =
        api.submit("trainings", "w", idOf("team"), "{image: x}").body().textOrEmpty("workloadId");
    api.post("/api/v1/workloads/trainings/%s/suspend".formatted(id), null);

    var entries =
        api.get("/api/v1/audit/log?start=2020-01-01T00:00:00Z&end=2100-01-01T00:00:00Z")
            .body()
            .trees("audit_logs");

    assertThat(entries)
        .extracting(entry -> entry.text("http_method"))
        .isSubsetOf("GET", "POST", "PUT", "PATCH", "DELETE", null);
    assertThat(entries)
        .filteredOn(entry -> entry.textOrEmpty("url").endsWith("/suspend"))
        .extracting(entry -> entry.text("action"))
        .containsExactly("update");
  }

  private String idOf(String project) {
    return api.get(PROJECTS + "?filterBy=name==" + project)
        .body()
        .trees("projects")
        .getFirst()
        .textOrEmpty("id");
  }

  /// Another one of its name would find the namespace closed.
  @Test
  void aProjectStaysUntilItsNamespaceIsGone() {
    var id = api.project("team", "default");
    assertThat(api.delete(PROJECTS + "/" + id).code()).isEqualTo(202);
    api.await(() ->
        api.cluster
                .fetch(Resource.NAMESPACES, "", "runai-team")
                .text("metadata", "deletionTimestamp")
            != null);

    assertThat(api.get(PROJECTS + "/" + id).body().text("status", "phase")).isEqualTo("Deleting");
    api.cluster.edit(
        Resource.NAMESPACES, "", "runai-team", each -> each.child("spec").remove("finalizers"));
    api.await(() -> api.get(PROJECTS + "/" + id).code() == 404);
  }

  @Test
  void aProjectShowsEveryPool() {
    api.pool("pool-a", "pool", "a");
    var id = api.project("team", "pool-a");
    var project = api.get(PROJECTS + "/" + id).body();

    assertThat(project.at("totalResources", "gpuQuota")).isEqualTo(8L);
    assertThat(project.trees("resources"))
        .extracting(each -> each.text("nodePool", "name"))
        .containsExactly("pool-a", "default");
    assertThat(project.list("effective", "defaultNodePools")).containsExactly("pool-a");
    assertThat(project.text("status", "namespace")).isEqualTo("runai-team");
    var department = api.get("/api/v1/org-unit/departments?filterBy=name==default").body();
    assertThat(department.trees("departments").getFirst().trees("status", "nodePoolQuotaStatuses"))
        .extracting(each -> each.text("nodePoolName"))
        .containsExactly("default", "pool-a");
  }

  @Test
  void aPatchOfOnePoolLeavesTheOthers() {
    api.pool("pool-a", "pool", "a");
    api.pool("pool-b", "pool", "b");
    var id = api.project("team", "pool-a", "pool-b");

    var changed =
        api.patch(
            PROJECTS + "/" + id + "/resources",
            List.of(
                Tree.of(
                    "nodePool",
                    Tree.of("name", "pool-a"),
                    "gpu",
                    Tree.of("deserved", 6, "limit", -1))));

    var quota = Tree.of("list", changed.value()).trees("list");
    assertThat(quota).extracting(each -> each.at("gpu", "deserved")).containsExactly(6L, 8L, 0L);
    assertThat(quota.getFirst().at("gpu", "limit")).isNull();
  }

  @Test
  void aNameIsTakenOnce() {
    api.project("team", "default");
    var again =
        api.post(
            PROJECTS,
            Tree.of("name", "team", "clusterId", api.clusterId(), "resources", List.of()));

    assertThat(again.code()).isEqualTo(409);
    assertThat(again.message()).isEqualTo("Resource with this name already exists");
  }

  @Test
  void badBodiesAreNamed() {
    var reply = api.post(PROJECTS, Tree.of("name", 5, "resources", "none", "colour", "red"));

    assertThat(reply.code()).isEqualTo(400);
    assertThat(reply.message())
        .contains("unknown field \"colour\"")
        .contains("field \"name\" must be a string, not 5")
        .contains("field \"clusterId\" is required")
        .contains("field \"resources\" must be a list, not \"none\"");
  }

  @Test
  void aBodyEncodedTwiceIsUnderstood() {
    var inner =
        "{\"name\":\"twice\",\"clusterId\":\"%s\",\"resources\":[]}".formatted(api.clusterId());
    var reply = api.post(PROJECTS, io.berth.codec.Json.text(inner));

    assertThat(reply.code()).isEqualTo(201);
  }

  @Test
  void departmentsWithProjectsStay() {
    var department =
        api.post(
                "/api/v1/org-unit/departments",
                Tree.of("name", "research", "clusterId", api.clusterId(), "resources", List.of()))
            .body()
            .textOrEmpty("id");
    api.post(
        PROJECTS,
        Tree.of(
            "name",
            "team",
            "clusterId",
            api.clusterId(),
            "parentId",
            department,
            "resources",
            List.of()));

    var refused = api.delete("/api/v1/org-unit/departments/" + department);

    assertThat(refused.code()).isEqualTo(400);
    assertThat(refused.message()).contains("team");
  }

  @Test
  void writesMayNameTheStateTheyAreMeantFor() {
    var id = api.project("team", "default");
    var read = api.get(PROJECTS + "/" + id);
    var tag = read.answer().headers().getOrDefault("ETag", "");
    var body = List.of(Tree.of("gpu", Tree.of("deserved", 3)));
    var target = PROJECTS + "/" + id;

    assertThat(api.with(Map.of("if-none-match", tag), "GET", target, null).code()).isEqualTo(304);
    assertThat(api.patch(target + "/resources", body).code()).isEqualTo(200);
    assertThat(api.with(Map.of("if-match", tag), "DELETE", target, null).code()).isEqualTo(412);
    assertThat(api.with(Map.of("if-none-match", tag), "GET", target, null).code()).isEqualTo(200);
  }

  @Test
  void aRepeatedKeyGivesTheFirstAnswer() {
    var body = Tree.of("name", "team", "clusterId", api.clusterId(), "resources", List.of());
    var first = api.with(Map.of("idempotency-key", "k1"), "POST", PROJECTS, body);
    var second = api.with(Map.of("idempotency-key", "k1"), "POST", PROJECTS, body);
    var other = api.with(Map.of("idempotency-key", "k1"), "POST", PROJECTS, Tree.of("name", "x"));

    assertThat(first.code()).isEqualTo(201);
    assertThat(second.answer().text()).isEqualTo(first.answer().text());
    assertThat(other.code()).isEqualTo(422);
  }
}
