package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.ResourceType;
import io.berth.workloads.access.Roles;
import io.berth.workloads.rest.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Who may call what: every operation, by every role, in its own project and in another's.
class AuthorizationTest {

  private final Api api;
  private final Map<String, String> tokens = new HashMap<>();
  private final String own;
  private final String other;
  private final String theirs;

  AuthorizationTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of());
    this.own = api.project("own", "default");
    this.other = api.project("other", "default");
    this.theirs =
        api.post("/api/v1/workloads/trainings", submission(other, "theirs"))
            .body()
            .textOrEmpty("workloadId");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private Tree submission(String project, String name) {
    return Tree.of(
        "name",
        name,
        "projectId",
        project,
        "clusterId",
        api.clusterId(),
        "spec",
        Tree.of("image", "python"));
  }

  private String token(int role) {
    return tokens.computeIfAbsent("role-" + role, name -> api.account(name, role, "project", own));
  }

  /// A role without the permission is stopped at the door, whatever the path names.
  @TestFactory
  Stream<DynamicTest> everyRouteAsksForItsPermission() {
    return api.workloads.routes().stream()
        .filter(route -> route.type() != null && !route.path().endsWith("/watch"))
        .map(route ->
            DynamicTest.dynamicTest(route.method() + " " + route.path(), () -> checkDoor(route)));
  }

  private void checkDoor(Route route) {
    var action = Objects.requireNonNull(route.action());
    var type = Objects.requireNonNull(route.type());
    for (var role : Roles.ALL) {
      var reply = api.as(token(role.id()), route.method(), target(route), new Tree());
      if (role.allows(action, type)) {
        assertThat(reply.code()).as("%s, %s", role.name(), reply.answer().text()).isNotEqualTo(401);
        assertThat(reply.code()).as(role.name()).isLessThan(502);
        assertThat(reply.code()).as("%s, %s", role.name(), reply.answer().text()).isNotEqualTo(500);
      } else {
        assertThat(reply.code()).as("%s, %s", role.name(), reply.answer().text()).isEqualTo(403);
        assertThat(reply.message()).isEqualTo("You do not have sufficient permissions.");
      }
    }
    assertThat(api.send(route.method(), target(route), null, Map.of()).code()).isEqualTo(401);
  }

  /// Ids of nothing: no call of this test changes anything.
  private static String target(Route route) {
    return route.path().replaceAll("\\{[^}]*}", "00000000-0000-0000-0000-00000000dead");
  }

  /// Operations that need a token and no permission, each for a reason.
  @Test
  void routesWithoutAPermissionAreFew() {
    assertThat(api.workloads.routes())
        .filteredOn(
            route -> route.type() == null && !route.isOpen() && !route.codes().contains(501))
        .extracting(Route::path)
        .containsExactlyInAnyOrder(
            // About the caller, or the same for everybody.
            "/api/v1/authorization/me/access-rules",
            "/api/v1/authorization/me/access-rules/count",
            "/api/v1/authorization/permissions",
            "/api/v1/authorization/permitted-scopes",
            "/api/v1/org-unit/priorities",
            "/api/v1/org-unit/ranks",
            // Every workload in it is looked at by itself.
            "/api/v1/workloads/batch");
  }

  // ---- between projects ------------------------------------------------------------------------

  @Test
  void anotherProjectsWorkloadIsAsIfMissing() {
    for (var role : Roles.ALL) {
      var token = token(role.id());
      var missing = "00000000-0000-0000-0000-00000000dead";
      for (var path :
          List.of(
              "/api/v1/workloads/%s",
              "/api/v1/workloads/%s/pods",
              "/api/v1/workloads/%s/events",
              "/api/v1/workloads/%s/history",
              "/api/v1/workloads/%s/explain",
              "/api/v1/workloads/trainings/%s")) {
        var real = api.as(token, "GET", path.formatted(theirs), null);
        var none = api.as(token, "GET", path.formatted(missing), null);
        assertThat(real.code()).as("%s %s", role.name(), path).isIn(403, 404);
        assertThat(real.answer().text()).isEqualTo(none.answer().text());
      }
      var deleted = api.as(token, "DELETE", "/api/v1/workloads/trainings/" + theirs, null);
      var never = api.as(token, "DELETE", "/api/v1/workloads/trainings/" + missing, null);
      assertThat(deleted.answer().text()).isEqualTo(never.answer().text());
      assertThat(deleted.code()).isIn(403, 404);
    }
    assertThat(api.get("/api/v1/workloads/" + theirs).code()).isEqualTo(200);
  }

  @Test
  void nobodySubmitsToAnotherProjectOrLearnsWhetherItExists() {
    for (var role : Roles.ALL) {
      var token = token(role.id());
      var real = api.as(token, "POST", "/api/v1/workloads/trainings", submission(other, "x"));
      var none = api.as(token, "POST", "/api/v1/workloads/trainings", submission("424242", "x"));
      assertThat(real.code()).isEqualTo(403);
      assertThat(real.answer().text()).isEqualTo(none.answer().text());
    }
  }

  @Test
  void listsHoldOnlyWhatTheCallerSees() {
    var token = token(5);
    api.as(token, "POST", "/api/v1/workloads/workspaces", submission(own, "mine"));

    assertThat(api.as(token, "GET", "/api/v1/workloads", null).body().trees("workloads"))
        .extracting(each -> each.text("name"))
        .containsExactly("mine");
    assertThat(api.as(token, "GET", "/api/v1/workloads/count", null).body().number(0, "count"))
        .isEqualTo(1);
    assertThat(api.as(token, "GET", "/api/v1/org-unit/projects", null).body().trees("projects"))
        .extracting(each -> each.text("name"))
        .containsExactly("own");
    assertThat(api.as(token, "GET", "/api/v1/org-unit/projects/" + other, null).code())
        .isEqualTo(404);
    var batch =
        api.as(
            token,
            "POST",
            "/api/v1/workloads/batch",
            Tree.of("ids", List.of(theirs), "action", "delete"));
    assertThat(batch.body().trees("failed").getFirst().number(0, "code")).isEqualTo(404);
  }

  @Test
  void nobodyHandsOutMoreThanTheyHave() {
    var administrator = token(4);
    var rule =
        Tree.of(
            "subjectId", "friend",
            "subjectType", "user",
            "scopeType", "project",
            "scopeId", own,
            "roleId", 1);
    var path = "/api/v1/authorization/access-rules";

    assertThat(api.as(administrator, "POST", path, rule).code()).isEqualTo(403);
    assertThat(api.as(administrator, "POST", path, rule.copy().put("roleId", 5)).code())
        .isEqualTo(201);
    assertThat(
            api.as(administrator, "POST", path, rule.copy().put("roleId", 5).put("scopeId", other))
                .code())
        .isEqualTo(403);
  }

  @Test
  void aProjectAdministratorSetsItsPolicyAndNoBroaderOne() {
    var administrator = token(4);
    var path = "/api/v2/policy/workspaces";
    var policy = Tree.of("defaults", Tree.of("image", "x"));

    assertThat(
            api.as(
                    administrator,
                    "PUT",
                    path,
                    Tree.of("meta", meta("project", own), "policy", policy))
                .code())
        .isEqualTo(200);
    assertThat(
            api.as(
                    administrator,
                    "PUT",
                    path,
                    Tree.of("meta", meta("project", other), "policy", policy))
                .code())
        .isEqualTo(403);
    assertThat(
            api.as(
                    administrator,
                    "PUT",
                    path,
                    Tree.of("meta", meta("tenant", ""), "policy", policy))
                .code())
        .isEqualTo(403);
  }

  private static Tree meta(String scope, String project) {
    var meta = Tree.of("scope", scope, "name", "p");
    return project.isEmpty() ? meta : meta.put("projectId", Long.parseLong(project));
  }

  @Test
  void theAdministratorMayEverything() {
    for (var type : ResourceType.values()) {
      for (var action : Action.values()) {
        assertThat(Roles.administrator().allows(action, type)).isTrue();
      }
    }
  }
}
