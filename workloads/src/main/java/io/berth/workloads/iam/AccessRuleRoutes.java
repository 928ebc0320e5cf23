package io.berth.workloads.iam;

import static io.berth.workloads.access.ResourceType.ACCESS_RULES;

import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Caller;
import io.berth.workloads.access.Role;
import io.berth.workloads.access.Roles;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scope.Level;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.Columns;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// `/api/v1/authorization/access-rules`: who has which role where.
///
/// Nobody hands out a role that permits more than they may do there themselves, or takes one away.
public final class AccessRuleRoutes {

  private static final Columns COLUMNS =
      Columns.searching("subjectId", "roleName", "scopeName")
          .texts(
              "subjectId",
              "subjectType",
              "scopeId",
              "scopeType",
              "roleName",
              "scopeName",
              "createdBy",
              "phase")
          .numbers("roleId")
          .times("createdAt", "deletedAt");
  private static final String BASE = "/api/v1/authorization/access-rules";
  private static final String MINE = "/api/v1/authorization/me/access-rules";

  private final State state;
  private final Scopes scopes;

  public AccessRuleRoutes(State state, Scopes scopes) {
    this.state = state;
    this.scopes = scopes;
  }

  public void addTo(Routes routes) {
    routes
        .get(BASE, "get_access_rules", this::list)
        .needs(Action.READ, ACCESS_RULES)
        .query(
            "subjectType",
            "subjectIdFilter",
            "subjectIds[]",
            "limit",
            "offset",
            "lastUpdated",
            "includeDeleted",
            "clusterId",
            "scopeType",
            "scopeId",
            "roleId",
            "sortOrder",
            "sortBy",
            "filterBy[]",
            "search");
    routes
        .get(
            BASE + "/count",
            "count_access_rules",
            call ->
                Answer.json(
                    200,
                    Tree.of(
                        "count",
                        ListRequest.of(call.request(), COLUMNS).select(visible(call)).size())))
        .needs(Action.READ, ACCESS_RULES)
        .query("includeDeleted", "filterBy[]", "search");
    routes
        .post(
            BASE,
            "create_access_rule",
            call -> {
              var body = call.body("AccessRuleCreationFields");
              return Answer.json(201, view(create(body, call.caller())));
            })
        .needs(Action.CREATE, ACCESS_RULES)
        .takes("AccessRuleCreationFields")
        .answers(201);
    routes
        .get(
            BASE + "/{accessRuleId}",
            "get_access_rule",
            call ->
                Answer.json(
                    200, view(found(call.path("accessRuleId"), call.caller(), Action.READ))))
        .needs(Action.READ, ACCESS_RULES);
    routes
        .delete(
            BASE + "/{accessRuleId}",
            "delete_access_rule",
            call -> {
              delete(call.path("accessRuleId"), call.caller());
              return Answer.empty(204);
            })
        .needs(Action.DELETE, ACCESS_RULES)
        .answers(204);
    routes
        .post(BASE + "/batch", "access_rules_batch", this::batch)
        .needs(Action.DELETE, ACCESS_RULES)
        .takes("AccessRulesBatchFields")
        .answers(200);
    routes
        .post(BASE + "/batch-create", "access_rules_batch_create", this::batchCreate)
        .needs(Action.CREATE, ACCESS_RULES)
        .takes("AccessRulesBatchCreateFields")
        .answers(200);
    routes
        .get(
            MINE,
            "get_me_access_rules",
            call -> {
              var page = ListRequest.of(call.request(), COLUMNS).page(mine(call));
              return Answer.json(
                  200,
                  Tree.of(
                      "accessRules", new ArrayList<Object>(page.items()),
                      "totalRecords", page.total(),
                      "displayRecords", page.items().size()));
            })
        .query("limit", "offset", "search");
    routes
        .get(
            MINE + "/count",
            "count_me_access_rules",
            call ->
                Answer.json(
                    200,
                    Tree.of(
                        "count",
                        ListRequest.of(call.request(), COLUMNS).select(mine(call)).size())))
        .query("search");
  }

  private Answer list(Call call) {
    var all = visible(call).stream().filter(rule -> isAskedFor(rule, call)).toList();
    var page = ListRequest.of(call.request(), COLUMNS).page(all);
    return Answer.json(
        200,
        Tree.of(
            "totalRecords", page.total(),
            "displayRecords", page.items().size(),
            "accessRules", new ArrayList<Object>(page.items())));
  }

  private static boolean isAskedFor(Tree rule, Call call) {
    for (var field : List.of("subjectType", "scopeType", "scopeId", "roleId")) {
      var wanted = call.parameter(field);
      if (!wanted.isEmpty() && !wanted.equals(String.valueOf(rule.get(field)))) {
        return false;
      }
    }
    var subjects = call.values("subjectIds");
    var part = call.parameter("subjectIdFilter");
    var subject = rule.textOrEmpty("subjectId");
    return (subjects.isEmpty() || subjects.contains(subject)) && subject.contains(part);
  }

  private List<Tree> visible(Call call) {
    var visible = new ArrayList<Tree>();
    for (var rule : state.table(BerthKinds.ACCESS_RULES).all()) {
      if (isRule(rule) && call.caller().sees(ACCESS_RULES, scopeOf(rule))) {
        visible.add(view(rule));
      }
    }
    return visible;
  }

  private List<Tree> mine(Call call) {
    return state.table(BerthKinds.ACCESS_RULES).all().stream()
        .filter(
            rule -> rule.textOrEmpty("spec", "subjectId").equals(call.caller().account().subject()))
        .filter(AccessRuleRoutes::isRule)
        .map(this::view)
        .toList();
  }

  /// Gives an account a role; for the start, and for tests.
  public Tree grant(String subject, String subjectType, Role role, Scope scope, String createdBy) {
    var now = state.times().now();
    long id = state.nextId();
    return state
        .table(BerthKinds.ACCESS_RULES)
        .create(
            Tree.of(
                "metadata",
                Tree.of("name", "rule-" + id),
                "spec",
                Tree.of(
                    "id", id,
                    "subjectId", subject,
                    "subjectType", subjectType,
                    "roleId", role.id(),
                    "scopeType", scope.level().text(),
                    "scopeId", scope.id(),
                    "createdBy", createdBy,
                    "createdAt", now,
                    "updatedAt", now)));
  }

  private Tree create(Tree body, Caller caller) {
    var scope = new Scope(Level.of(body.textOrEmpty("scopeType")), body.textOrEmpty("scopeId"));
    caller.require(Action.CREATE, ACCESS_RULES, scope);
    if (!scopes.exists(scope)) {
      throw Refusal.badRequest(
          "Bad request - scopeId: there is no %s \"%s\""
              .formatted(scope.level().text(), scope.id()));
    }
    var role =
        Roles.find(body.number(0, "roleId"))
            .orElseThrow(() ->
                Refusal.badRequest(
                    "Bad request - roleId: there is no role %d"
                        .formatted(body.number(0, "roleId"))));
    if (!caller.holds(role, scope)) {
      throw Refusal.forbidden();
    }
    var subject = body.textOrEmpty("subjectId");
    for (var rule : state.table(BerthKinds.ACCESS_RULES).all()) {
      if (rule.textOrEmpty("spec", "subjectId").equals(subject)
          && rule.number(0, "spec", "roleId") == role.id()
          && Scope.of(rule.treeOrEmpty("spec")).equals(Optional.of(scope))) {
        throw Refusal.badRequest("Bad request - this access rule already exists");
      }
    }
    return grant(subject, body.textOrEmpty("subjectType"), role, scope, caller.name());
  }

  private Tree found(String id, Caller caller, Action action) {
    var rule = find(id).orElseThrow(Refusal::notFound);
    caller.require(action, ACCESS_RULES, scopeOf(rule));
    return rule;
  }

  private Optional<Tree> find(String id) {
    return state.table(BerthKinds.ACCESS_RULES).all().stream()
        .filter(rule -> isRule(rule) && Long.toString(rule.number(0, "spec", "id")).equals(id))
        .findFirst();
  }

  private void delete(String id, Caller caller) {
    var rule = found(id, caller, Action.DELETE);
    var role = Roles.find(rule.number(0, "spec", "roleId"));
    if (role.isPresent() && !caller.holds(role.get(), scopeOf(rule))) {
      throw Refusal.forbidden();
    }
    state.table(BerthKinds.ACCESS_RULES).delete(rule);
  }

  private Answer batch(Call call) {
    var body = call.body("AccessRulesBatchFields");
    if (!body.textOrEmpty("action").equals("delete")) {
      throw Refusal.badRequest(
          "Bad request - action: \"%s\" is not delete".formatted(body.textOrEmpty("action")));
    }
    var succeeded = new ArrayList<Object>();
    var failed = new ArrayList<Object>();
    for (var id : body.list("ids")) {
      try {
        delete(String.valueOf(id), call.caller());
        succeeded.add(id);
      } catch (Refusal e) {
        failed.add(Tree.of("id", id, "code", e.code(), "message", e.getMessage()));
      }
    }
    return Answer.json(
        200, Tree.of("id", UUID.randomUUID().toString(), "succeeded", succeeded, "failed", failed));
  }

  private Answer batchCreate(Call call) {
    var payload = call.body("AccessRulesBatchCreateFields").treeOrEmpty("payload");
    var succeeded = new ArrayList<Object>();
    var failed = new ArrayList<Object>();
    for (var subject : payload.trees("subjects")) {
      for (var scope : payload.trees("scopes")) {
        var rule =
            Tree.of(
                "roleId", payload.get("roleId"),
                "subjectId", subject.get("subjectId"),
                "subjectType", subject.get("subjectType"),
                "scopeId", scope.get("scopeId"),
                "scopeType", scope.get("scopeType"));
        try {
          succeeded.add(view(create(rule, call.caller())));
        } catch (Refusal e) {
          failed.add(rule.put("code", e.code()).put("message", e.getMessage()));
        }
      }
    }
    return Answer.json(200, Tree.of("succeeded", succeeded, "failed", failed));
  }

  private static Scope scopeOf(Tree rule) {
    return Scope.of(rule.treeOrEmpty("spec")).orElseThrow();
  }

  /// What kubectl writes need not be one.
  private static boolean isRule(Tree object) {
    return Scope.of(object.treeOrEmpty("spec")).isPresent();
  }

  private Tree view(Tree rule) {
    var view = rule.treeOrEmpty("spec").copy();
    return view.put("roleName", Roles.find(view.number(0, "roleId")).map(Role::name).orElse(""))
        .put("scopeName", scopes.name(scopeOf(rule)))
        .put("clusterId", state.clusterId())
        .put("phase", "Ready")
        .put("deletedAt", null)
        .put("tenantId", state.tenantId());
  }
}
