package io.berth.workloads.iam;

import static io.berth.workloads.access.ResourceType.ROLES;

import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Caller;
import io.berth.workloads.access.ResourceType;
import io.berth.workloads.access.Role;
import io.berth.workloads.access.Roles;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;

/// `/api/v1/authorization/roles`, `/permissions` and `/permitted-scopes`.
public final class RoleRoutes {

  private static final String BASE = "/api/v1/authorization";

  private final State state;

  public RoleRoutes(State state) {
    this.state = state;
  }

  public void addTo(Routes routes) {
    routes
        .get(
            BASE + "/roles",
            "get_roles_v1",
            _ -> {
              var all = new ArrayList<Object>();
              Roles.ALL.forEach(role -> all.add(view(role)));
              return Answer.json(200, all);
            })
        .needs(Action.READ, ROLES);
    routes.get(BASE + "/roles/{roleIdPath}", "get_role_v1", this::role).needs(Action.READ, ROLES);
    routes.get(BASE + "/permissions", "get_permissions", _ -> permissions());
    routes
        .post(BASE + "/permitted-scopes", "get_permitted_scopes", this::permittedScopes)
        .takes("GetPermittedScopesRequest")
        .answers(200);
  }

  private Answer role(Call call) {
    var id = call.path("roleIdPath");
    return Roles.ALL.stream()
        .filter(role -> Integer.toString(role.id()).equals(id))
        .findFirst()
        .map(role -> (Answer) Answer.json(200, view(role)))
        .orElseThrow(Refusal::notFound);
  }

  private Tree view(Role role) {
    var permissions = new ArrayList<Object>();
    role.permissions()
        .forEach((type, actions) -> {
          var names = new ArrayList<Object>();
          actions.forEach(action -> names.add(action.text()));
          permissions.add(permission(type, names));
        });
    var created = state.tenant().textOrEmpty("spec", "createdAt");
    return Tree.of(
        "id",
        role.id(),
        "name",
        role.name(),
        "description",
        role.description(),
        "createdAt",
        created,
        "updatedAt",
        created,
        "createdBy",
        "berth",
        "custom",
        false,
        "effectiveEnabled",
        true,
        "permissions",
        permissions);
  }

  private static Answer permissions() {
    var all = new ArrayList<Object>();
    for (var type : ResourceType.values()) {
      var actions = new ArrayList<Object>();
      for (var action : Action.values()) {
        actions.add(action.text());
      }
      all.add(permission(type, actions));
    }
    return Answer.json(200, all);
  }

  private static Tree permission(ResourceType type, List<Object> actions) {
    return Tree.of(
        "resourceType", type.text(),
        "displayName", type.text().replace('-', ' ').replace('_', ' '),
        "groupId", type.group().text(),
        "actions", actions);
  }

  private Answer permittedScopes(Call call) {
    var body = call.body("GetPermittedScopesRequest");
    var name = body.textOrEmpty("resourceType");
    var answer = new Tree();
    for (var action : Action.values()) {
      answer.put(action.text(), scopes(call.caller(), action, name));
    }
    return Answer.json(200, answer);
  }

  private static Tree scopes(Caller caller, Action action, String typeName) {
    var scopes = new Tree();
    for (var grant : caller.grants()) {
      for (var type : ResourceType.values()) {
        if (type.text().equals(typeName) && grant.role().allows(action, type)) {
          if (grant.scope().level().text().matches("system|tenant")) {
            scopes.put(grant.scope().level().text(), true);
          } else {
            scopes.childList(grant.scope().level().text() + "s").add(grant.scope().id());
          }
        }
      }
    }
    return scopes;
  }
}
