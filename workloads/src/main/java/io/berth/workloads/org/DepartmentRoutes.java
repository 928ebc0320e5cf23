package io.berth.workloads.org;

import static io.berth.workloads.access.ResourceType.DEPARTMENT;

import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.List;

/// `/api/v1/org-unit/departments`
public final class DepartmentRoutes {

  /// Projects that name no department are in this one.
  public static final String DEFAULT = "default";

  private final State state;
  private final Scopes scopes;
  private final Shares shares;
  private final DepartmentRules rules;
  private final UnitRoutes units;

  public DepartmentRoutes(State state, Scopes scopes, NodePools pools, DepartmentRules rules) {
    this.state = state;
    this.scopes = scopes;
    this.shares = new Shares(pools);
    this.rules = rules;
    this.units = new UnitRoutes(state, pools, UnitKind.DEPARTMENT, rules);
  }

  public void ensureDefault() {
    if (state.table(BerthKinds.DEPARTMENTS).find("", DEFAULT).isEmpty()) {
      units.create(DEFAULT, new Tree(), new Tree(), List.of(), "berth");
    }
  }

  public void addTo(Routes routes) {
    units.addTo(routes);
    var base = UnitKind.DEPARTMENT.path();
    routes
        .post(base, "create_department", this::create)
        .needs(Action.CREATE, DEPARTMENT)
        .takes("DepartmentCreationRequest")
        .answers(201);
    routes
        .put(base + "/{departmentId}", "update_department", this::update)
        .needs(Action.UPDATE, DEPARTMENT)
        .takes("DepartmentUpdateRequest")
        .answers(200);
    routes
        .delete(base + "/{departmentId}", "delete_department", this::delete)
        .needs(Action.DELETE, DEPARTMENT)
        .answers(204);
  }

  private Answer create(Call call) {
    call.caller().require(Action.CREATE, DEPARTMENT, scopes.cluster());
    var body = call.body("DepartmentCreationRequest");
    var name = body.textOrEmpty("name");
    Units.checkName(name);
    Units.checkCluster(state, body.textOrEmpty("clusterId"));
    var read = shares.read(body.trees("resources"));
    return units.made(units.create(name, new Tree(), rules.kept(body), read, call.caller().name()));
  }

  private Answer update(Call call) {
    var unit = units.found(call, Action.UPDATE);
    var body = call.body("DepartmentUpdateRequest");
    return units.replace(unit, rules.kept(body), shares.read(body.trees("resources")));
  }

  private Answer delete(Call call) {
    var unit = units.found(call, Action.DELETE);
    rules.checkDeletion(unit);
    state.table(BerthKinds.DEPARTMENTS).delete(unit);
    return Answer.empty(204);
  }
}
