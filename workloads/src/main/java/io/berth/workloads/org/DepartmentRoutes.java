package io.berth.workloads.org;

import static io.berth.workloads.access.ResourceType.DEPARTMENT;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// `/api/v1/org-unit/departments`
public final class DepartmentRoutes {

  /// Projects that name no department are in this one.
  public static final String DEFAULT = "default";

  private static final String BASE = "/api/v1/org-unit/departments";

  private final State state;
  private final Scopes scopes;
  private final NodePools pools;
  private final Shares shares;
  private final UnitView view;
  private final DepartmentRules rules;

  public DepartmentRoutes(State state, Scopes scopes, NodePools pools, DepartmentRules rules) {
    this.rules = rules;
    this.state = state;
    this.scopes = scopes;
    this.pools = pools;
    this.shares = new Shares(pools);
    this.view = new UnitView(state, pools);
  }

  public void ensureDefault() {
    if (state.table(BerthKinds.DEPARTMENTS).find("", DEFAULT).isEmpty()) {
      create(DEFAULT, new Tree(), List.of(), "berth");
    }
  }

  public void addTo(Routes routes) {
    routes
        .get(BASE, "get_departments", this::list)
        .needs(Action.READ, DEPARTMENT)
        .query("filterBy[]", "sortBy", "verbosity", "sortOrder", "offset", "limit", "search");
    routes
        .get(BASE + "/count", "count_departments", this::count)
        .needs(Action.READ, DEPARTMENT)
        .query("filterBy[]", "search");
    routes
        .post(BASE, "create_department", this::create)
        .needs(Action.CREATE, DEPARTMENT)
        .takes("DepartmentCreationRequest")
        .answers(201);
    routes
        .get(BASE + "/{departmentId}", "get_department", call -> shown(found(call, Action.READ)))
        .needs(Action.READ, DEPARTMENT);
    routes
        .put(BASE + "/{departmentId}", "update_department", this::update)
        .needs(Action.UPDATE, DEPARTMENT)
        .takes("DepartmentUpdateRequest")
        .answers(200);
    routes
        .delete(BASE + "/{departmentId}", "delete_department", this::delete)
        .needs(Action.DELETE, DEPARTMENT)
        .answers(204);
    routes
        .get(
            BASE + "/{departmentId}/resources",
            "get_department_resources",
            call -> Answer.json(200, resources(found(call, Action.READ))))
        .needs(Action.READ, DEPARTMENT);
    routes
        .put(
            BASE + "/{departmentId}/resources",
            "update_department_resources",
            call -> share(call, false))
        .needs(Action.UPDATE, DEPARTMENT)
        .takes("[ResourcesNullable]")
        .answers(200);
    routes
        .patch(
            BASE + "/{departmentId}/resources",
            "patch_department_resources",
            call -> share(call, true))
        .needs(Action.UPDATE, DEPARTMENT)
        .takes("[ResourcesNullable]")
        .answers(200);
  }

  private Answer list(Call call) {
    var page = ListRequest.of(call.request(), UnitView.DEPARTMENT_COLUMNS).page(visible(call));
    return Answer.json(200, page.body("departments"));
  }

  private Answer count(Call call) {
    var request = ListRequest.of(call.request(), UnitView.DEPARTMENT_COLUMNS);
    return Answer.json(200, Tree.of("count", request.select(visible(call)).size()));
  }

  private List<Tree> visible(Call call) {
    var usage = Usage.of(state, pools);
    var visible = new ArrayList<Tree>();
    for (var unit : state.units(BerthKinds.DEPARTMENTS)) {
      if (call.caller().sees(DEPARTMENT, Scope.department(Units.id(unit)))) {
        visible.add(view.department(unit, usage));
      }
    }
    return visible;
  }

  private Tree found(Call call, Action action) {
    var id = call.path("departmentId");
    var unit = Units.find(state, BerthKinds.DEPARTMENTS, id).orElseThrow(Refusal::notFound);
    call.caller().require(action, DEPARTMENT, Scope.department(id));
    return unit;
  }

  private Answer.Whole shown(Tree unit) {
    return Answer.json(200, view.department(unit, Usage.of(state, pools)));
  }

  private List<Object> resources(Tree unit) {
    return new ArrayList<>(shares.shown(unit.trees("spec", "resources")));
  }

  private Answer create(Call call) {
    call.caller().require(Action.CREATE, DEPARTMENT, scopes.cluster());
    var body = call.body("DepartmentCreationRequest");
    var name = body.textOrEmpty("name");
    Units.checkName(name);
    Units.checkCluster(state, body.textOrEmpty("clusterId"));
    var read = shares.read(body.trees("resources"));
    try {
      var created = create(name, rules.kept(body), read, call.caller().name());
      return Answer.json(201, view.department(created, Usage.of(state, pools)))
          .warning(SchedulingRules.warnings(created));
    } catch (ApiException e) {
      throw e.code() == 409
          ? Refusal.conflict("there is already a department \"%s\"".formatted(name))
          : e;
    }
  }

  private Tree create(String name, Tree kept, List<Tree> resources, String createdBy) {
    var now = state.times().now();
    kept.put("id", state.nextId())
        .put("resources", resources)
        .put("createdBy", createdBy)
        .put("createdAt", now)
        .put("updatedAt", now);
    return state
        .table(BerthKinds.DEPARTMENTS)
        .create(Tree.of("metadata", Tree.of("name", name), "spec", kept));
  }

  private Answer update(Call call) {
    var unit = found(call, Action.UPDATE);
    var body = call.body("DepartmentUpdateRequest");
    var kept = rules.kept(body);
    var read = shares.read(body.trees("resources"));
    var changed =
        change(
            unit,
            spec -> {
              DepartmentRules.KEPT.forEach(spec::remove);
              kept.fields().forEach(spec::put);
              spec.put("resources", read);
            });
    return shown(changed).warning(SchedulingRules.warnings(changed));
  }

  private Answer share(Call call, boolean merge) {
    var unit = found(call, Action.UPDATE);
    var read = shares.read(call.bodies("ResourcesNullable"));
    var wanted = merge ? shares.merged(unit.trees("spec", "resources"), read) : read;
    return Answer.json(200, resources(change(unit, spec -> spec.put("resources", wanted))));
  }

  private Tree change(Tree unit, Consumer<Tree> change) {
    return state
        .table(BerthKinds.DEPARTMENTS)
        .change(
            "",
            Projects.name(unit),
            object -> {
              change.accept(object.child("spec"));
              object.child("spec").put("updatedAt", state.times().now());
              return object;
            });
  }

  private Answer delete(Call call) {
    var unit = found(call, Action.DELETE);
    rules.checkDeletion(unit);
    state.table(BerthKinds.DEPARTMENTS).delete("", Projects.name(unit), DeleteOptions.DEFAULT);
    return Answer.empty(204);
  }
}
