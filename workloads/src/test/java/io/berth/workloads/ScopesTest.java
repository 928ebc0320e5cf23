package io.berth.workloads;

import static io.berth.workloads.access.Action.CREATE;
import static io.berth.workloads.access.Action.READ;
import static io.berth.workloads.access.Action.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.ResourceType;
import io.berth.workloads.access.Roles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every role, granted on every kind of scope, at objects of one project: whoever has the role
/// there or above may, all others find nothing.
class ScopesTest {

  /// `code` is what a caller who may gets: a write is made to fail after the permission.
  private record Row(
      String method,
      String path,
      @Nullable Tree body,
      Action action,
      ResourceType type,
      int code) {}

  /// A place to have a role in, and whether the project of the objects is in it.
  private record Place(String scopeType, String scopeId, boolean covers) {}

  private final Api api;
  private final Map<String, Place> places = new LinkedHashMap<>();
  private final List<Row> rows;

  ScopesTest() throws InterruptedException {
    this.api = new Api();
    var ownDepartment = department("own-department");
    var otherDepartment = department("other-department");
    var own = project("own", ownDepartment);
    var other = project("other", otherDepartment);
    places.put("tenant", new Place("tenant", "1001", true));
    places.put("cluster", new Place("cluster", api.clusterId(), true));
    places.put("its department", new Place("department", ownDepartment, true));
    places.put("it", new Place("project", own, true));
    places.put("another department", new Place("department", otherDepartment, false));
    places.put("another project", new Place("project", other, false));
    this.rows = rows(own);
  }

  private String department(String name) {
    return made("/api/v1/org-unit/departments", unit(name)).textOrEmpty("id");
  }

  private String project(String name, String department) {
    return made("/api/v1/org-unit/projects", unit(name).put("parentId", department))
        .textOrEmpty("id");
  }

  private Tree unit(String name) {
    return Tree.of("name", name, "clusterId", api.clusterId(), "resources", List.of());
  }

  private Tree made(String path, Tree body) {
    var reply = api.post(path, body);
    assertThat(reply.code()).as(reply.answer().text()).isIn(201, 202);
    return reply.body();
  }

  private List<Row> rows(String own) {
    var submission =
        Tree.of(
            "name",
            "w",
            "projectId",
            own,
            "clusterId",
            api.clusterId(),
            "spec",
            Tree.of("image", "python"));
    var workload =
        "/api/v1/workloads/"
            + made("/api/v1/workloads/trainings", submission).textOrEmpty("workloadId");
    var training = workload.replace("/workloads/", "/workloads/trainings/");
    var meta = Tree.of("name", "a", "scope", "project", "projectId", Long.parseLong(own));
    var asset =
        "/api/v1/asset/compute/"
            + made(
                    "/api/v1/asset/compute",
                    Tree.of("meta", meta, "spec", Tree.of("cpuCoreRequest", 1)))
                .textOrEmpty("meta", "id");
    var template =
        "/api/v1/workload-templates/trainings/"
            + made(
                    "/api/v1/workload-templates/trainings",
                    Tree.of(
                        "meta", Tree.of("name", "t", "scopeType", "project", "scopeId", own),
                        "spec", Tree.of("image", "python")))
                .textOrEmpty("meta", "id");
    var rule =
        "/api/v1/authorization/access-rules/"
            + made(
                    "/api/v1/authorization/access-rules",
                    Tree.of(
                        "subjectId", "friend@lab.com",
                        "subjectType", "user",
                        "roleId", 5,
                        "scopeType", "project",
                        "scopeId", own))
                .number(0, "id");
    var unit = "/api/v1/org-unit/projects/" + own;
    var policy = "/api/v2/policy/trainings?scope=project&projectId=" + own;
    var broken =
        Tree.of(
            "meta", Tree.of("scope", "project", "name", "p", "projectId", Long.parseLong(own)),
            "policy", Tree.of("defaults", Tree.of("colour", "red")));
    var again = submission.copy();
    again.child("spec").put("nodePools", List.of("nowhere"));
    return List.of(
        new Row("GET", workload, null, READ, ResourceType.TRAININGS, 200),
        new Row("GET", workload + "/pods", null, READ, ResourceType.TRAININGS, 200),
        new Row("GET", workload + "/events", null, READ, ResourceType.TRAININGS, 200),
        new Row("GET", workload + "/history", null, READ, ResourceType.TRAININGS, 200),
        new Row("GET", workload + "/explain", null, READ, ResourceType.TRAININGS, 200),
        new Row("GET", training, null, READ, ResourceType.TRAININGS, 200),
        new Row("POST", training + "/suspend", null, UPDATE, ResourceType.TRAININGS, 202),
        new Row("POST", "/api/v1/workloads/trainings", again, CREATE, ResourceType.TRAININGS, 400),
        new Row("GET", unit, null, READ, ResourceType.PROJECT, 200),
        new Row("GET", unit + "/resources", null, READ, ResourceType.PROJECT, 200),
        new Row("PUT", unit, new Tree(), UPDATE, ResourceType.PROJECT, 400),
        new Row("GET", policy, null, READ, ResourceType.POLICIES, 200),
        new Row("PUT", "/api/v2/policy/trainings", broken, UPDATE, ResourceType.POLICIES, 400),
        new Row("GET", asset, null, READ, ResourceType.COMPUTE_RESOURCES, 200),
        new Row("PUT", asset, new Tree(), UPDATE, ResourceType.COMPUTE_RESOURCES, 400),
        new Row("GET", template, null, READ, ResourceType.TEMPLATES, 200),
        new Row("PUT", template, new Tree(), UPDATE, ResourceType.TEMPLATES, 400),
        new Row("GET", rule, null, READ, ResourceType.ACCESS_RULES, 200));
  }

  @TestFactory
  Stream<DynamicTest> everyRoleInEveryScope() {
    return Roles.ALL.stream()
        .flatMap(role ->
            places.entrySet().stream()
                .map(place ->
                    DynamicTest.dynamicTest(
                        role.name() + " of " + place.getKey(),
                        () -> check(role.id(), place.getValue()))))
        .onClose(api::close);
  }

  private void check(int role, Place place) {
    var token =
        api.account(
            "r-%d-%s-%s".formatted(role, place.scopeType(), place.covers() ? "in" : "out"),
            role,
            place.scopeType(),
            place.scopeId());
    for (var row : rows) {
      var reply = api.as(token, row.method(), row.path(), row.body());
      assertThat(reply.code())
          .as("%s %s: %s", row.method(), row.path(), reply.answer().text())
          .isEqualTo(expected(role, place, row));
    }
  }

  private static int expected(int roleId, Place place, Row row) {
    var role = Roles.find(roleId).orElseThrow();
    if (!role.allows(row.action(), row.type())) {
      return 403;
    }
    if (place.covers()) {
      return row.code();
    }
    // Where the body names the scope there is nothing that could be missing.
    return row.action() == CREATE || row.path().equals("/api/v2/policy/trainings") ? 403 : 404;
  }
}
