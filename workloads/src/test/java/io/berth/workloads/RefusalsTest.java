package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.workloads.state.BerthKinds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is refused is refused whole, in the envelope, and shows nothing that is not the caller's.
class RefusalsTest {

  private final Api api;
  private final String own;
  private final String other;
  private final String researcher;

  RefusalsTest() throws InterruptedException {
    this.api = new Api();
    this.own = api.project("own", "default");
    this.other = api.project("other", "default");
    this.researcher = api.account("researcher", 5, "project", own);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private Tree submission(String project) {
    return Tree.of(
        "name",
        "w",
        "projectId",
        project,
        "clusterId",
        api.clusterId(),
        "spec",
        Tree.of("image", "python"));
  }

  @Test
  void nothingIsSubmittedWhenTheQueryIsWrong() {
    for (var query : List.of("wait=never", "wait=scheduled&timeoutSeconds=0", "dryRun=some")) {
      var reply = api.post("/api/v1/workloads/trainings?" + query, submission(own));
      assertThat(reply.code()).as(query).isEqualTo(400);
    }
    assertThat(api.cluster.all(BerthKinds.TRAININGS)).isEmpty();
  }

  @Test
  void aBodyThatSaysItIsNoJsonIsNotTried() {
    var text = new String(Json.write(submission(own)), StandardCharsets.UTF_8);
    var path = "/api/v1/workloads/trainings?dryRun=all";

    assertThat(api.with(Map.of("content-type", "text/plain"), "POST", path, text).code())
        .isEqualTo(415);
    assertThat(
            api.with(Map.of("content-type", "application/json; charset=utf-8"), "POST", path, text)
                .code())
        .isEqualTo(202);
    assertThat(api.with(Map.of(), "POST", path, text).code()).isEqualTo(202);
  }

  @Test
  void anotherMethodIsToldWhichThereAre() {
    var reply = api.put("/api/v1/workloads/trainings", new Tree());

    assertThat(reply.code()).isEqualTo(405);
    assertThat(reply.answer().headers()).containsEntry("Allow", "POST");
    assertThat(reply.body().number(0, "code")).isEqualTo(405);
  }

  @Test
  void aDepartmentThatIsNotTheCallersIsAsNone() {
    var chief = api.account("chief", 2, "department", departmentOf(own));
    var foreign =
        api.post(
                "/api/v1/org-unit/departments",
                Tree.of("name", "foreign", "clusterId", api.clusterId(), "resources", List.of()))
            .body()
            .textOrEmpty("id");

    var there = api.as(chief, "POST", "/api/v1/org-unit/projects", project(foreign));
    var nowhere = api.as(chief, "POST", "/api/v1/org-unit/projects", project("424242"));

    assertThat(there.code()).isEqualTo(403);
    assertThat(there.answer().text()).isEqualTo(nowhere.answer().text());
    assertThat(api.as(chief, "POST", "/api/v1/org-unit/projects", project("")).code())
        .isEqualTo(201);
  }

  private String departmentOf(String project) {
    return api.get("/api/v1/org-unit/projects/" + project).body().textOrEmpty("parentId");
  }

  private Tree project(String parent) {
    var body = Tree.of("name", "new", "clusterId", api.clusterId(), "resources", List.of());
    return parent.isEmpty() ? body : body.put("parentId", parent);
  }

  /// What is made for the tenant is for everybody's use, and for its makers to change.
  @Test
  void assetsOfBroaderScopesAreSeenAndNotChanged() {
    var path = "/api/v1/asset/compute";
    var wide = asset("wide", Tree.of("scope", "tenant"));
    var theirs = asset("theirs", Tree.of("scope", "project", "projectId", Long.valueOf(other)));
    var id = api.post(path, wide).body().textOrEmpty("meta", "id");
    var hidden = api.post(path, theirs).body().textOrEmpty("meta", "id");

    assertThat(api.as(researcher, "GET", path, null).body().trees("entries"))
        .extracting(each -> each.text("meta", "name"))
        .containsExactly("wide");
    assertThat(api.as(researcher, "GET", path + "/" + id, null).code()).isEqualTo(200);
    assertThat(api.as(researcher, "DELETE", path + "/" + id, null).code()).isEqualTo(403);
    assertThat(api.as(researcher, "PUT", path + "/" + id, wide).code()).isEqualTo(403);
    assertThat(api.as(researcher, "DELETE", path + "/" + hidden, null).code()).isEqualTo(404);
  }

  private static Tree asset(String name, Tree meta) {
    return Tree.of("meta", meta.put("name", name), "spec", Tree.of("cpuCoreRequest", 1));
  }

  /// Who was evicted learns why, and not by whose workload.
  @Test
  void eventsNameNothingOfAnotherProject() {
    var mine =
        api.as(researcher, "POST", "/api/v1/workloads/trainings", submission(own))
            .body()
            .textOrEmpty("workloadId");
    api.cluster.create(
        Resource.CORE_EVENTS,
        Tree.of(
            "metadata", Tree.of("name", "e", "namespace", "runai-own"),
            "involvedObject",
                Tree.of(
                    "kind", "TrainingWorkload",
                    "name", "w",
                    "namespace", "runai-own",
                    "uid", mine),
            "message",
                "Pod runai-own/w-0-0 was preempted by workload runai-other/plan. own uses <1>"));
    var path = "/api/v1/workloads/%s/events".formatted(mine);
    api.await(() -> api.get(path).answer().text().contains("preempted"));

    assertThat(api.get(path).answer().text()).contains("by workload runai-other/plan. own uses");
    assertThat(api.as(researcher, "GET", path, null).answer().text())
        .contains("Pod runai-own/w-0-0 was preempted by workload of another project. own uses")
        .doesNotContain("runai-other", "plan");
  }
}
