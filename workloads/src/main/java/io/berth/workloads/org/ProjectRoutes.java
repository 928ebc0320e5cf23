package io.berth.workloads.org;

import static io.berth.workloads.access.ResourceType.PROJECT;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Caller;
import io.berth.workloads.access.Scope;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;

/// `/api/v1/org-unit/projects`
public final class ProjectRoutes {

  /// Holds a project until its workloads and its namespace are gone.
  public static final String FINALIZER = "berth.io/workloads";

  private static final String BASE = "/api/v1/org-unit/projects";

  private final State state;
  private final NodePools pools;
  private final Shares shares;
  private final UnitView view;
  private final ProjectRules rules;

  public ProjectRoutes(State state, NodePools pools, ProjectRules rules) {
    this.state = state;
    this.pools = pools;
    this.rules = rules;
    this.shares = new Shares(pools);
    this.view = new UnitView(state, pools);
  }

  public void addTo(Routes routes) {
    routes
        .get(BASE, "get_projects", this::list)
        .needs(Action.READ, PROJECT)
        .query("filterBy[]", "sortBy", "sortOrder", "offset", "limit", "search", "verbosity");
    routes
        .get(BASE + "/count", "count_projects", this::count)
        .needs(Action.READ, PROJECT)
        .query("filterBy[]", "search");
    routes
        .post(BASE, "create_project", this::create)
        .needs(Action.CREATE, PROJECT)
        .takes("ProjectCreationRequest")
        .answers(201);
    routes
        .get(BASE + "/{projectId}", "get_project", call -> shown(found(call, Action.READ)))
        .needs(Action.READ, PROJECT);
    routes
        .put(BASE + "/{projectId}", "update_project", this::update)
        .needs(Action.UPDATE, PROJECT)
        .takes("ProjectUpdateRequest")
        .answers(200);
    routes
        .delete(BASE + "/{projectId}", "delete_project", this::delete)
        .needs(Action.DELETE, PROJECT)
        .answers(202);
    routes
        .get(
            BASE + "/{projectId}/resources",
            "get_project_resources",
            call -> Answer.json(200, resources(found(call, Action.READ))))
        .needs(Action.READ, PROJECT);
    routes
        .put(
            BASE + "/{projectId}/resources", "update_project_resources", call -> share(call, false))
        .needs(Action.UPDATE, PROJECT)
        .takes("[ResourcesNullable]")
        .answers(200);
    routes
        .patch(
            BASE + "/{projectId}/resources", "patch_project_resources", call -> share(call, true))
        .needs(Action.UPDATE, PROJECT)
        .takes("[ResourcesNullable]")
        .answers(200);
  }

  private Answer list(Call call) {
    var page = ListRequest.of(call.request(), UnitView.PROJECT_COLUMNS).page(visible(call));
    return Answer.json(200, page.body("projects"));
  }

  private Answer count(Call call) {
    var request = ListRequest.of(call.request(), UnitView.PROJECT_COLUMNS);
    return Answer.json(200, Tree.of("count", request.select(visible(call)).size()));
  }

  private List<Tree> visible(Call call) {
    var usage = Usage.of(state, pools);
    var visible = new ArrayList<Tree>();
    for (var project : state.units(BerthKinds.PROJECTS)) {
      if (call.caller().sees(PROJECT, Scope.project(Units.id(project)))) {
        visible.add(view.project(project, usage));
      }
    }
    return visible;
  }

  private Tree found(Call call, Action action) {
    var id = call.path("projectId");
    var project = Units.find(state, BerthKinds.PROJECTS, id).orElseThrow(Refusal::notFound);
    call.caller().require(action, PROJECT, Scope.project(id));
    return project;
  }

  private Answer.Whole shown(Tree project) {
    return Answer.json(200, view.project(project, Usage.of(state, pools)));
  }

  private List<Object> resources(Tree project) {
    return new ArrayList<>(shares.shown(project.trees("spec", "resources")));
  }

  private Answer create(Call call) {
    var body = call.body("ProjectCreationRequest");
    var parent = parent(body.textOrEmpty("parentId"), call.caller());
    var name = body.textOrEmpty("name");
    Units.checkName(name);
    Units.checkCluster(state, body.textOrEmpty("clusterId"));
    var spec = rules.kept(body, parent);
    spec.put("id", state.nextId())
        .put("parentId", Units.id(parent))
        .put("resources", shares.read(body.trees("resources")))
        .put("createdBy", call.caller().name())
        .put("createdAt", state.times().now())
        .put("updatedAt", state.times().now());
    spec.putIfAbsent("enforceRunaiScheduler", true);
    var project =
        Tree.of("metadata", Tree.of("name", name, "finalizers", List.of(FINALIZER)), "spec", spec);
    rules.checkNamespace(project);
    try {
      var created = state.table(BerthKinds.PROJECTS).create(project);
      state.ensureNamespace(Projects.namespace(created), Tree.of(Usage.PROJECT_LABEL, name));
      return Answer.json(201, view.project(created, Usage.of(state, pools)))
          .warning(rules.warnings(created));
    } catch (ApiException e) {
      throw e.code() == 409
          ? Refusal.conflict("there is already a project \"%s\"".formatted(name))
          : e;
    }
  }

  // Rights first: whether there is such a department is not for everybody to know.
  private Tree parent(String asked, Caller caller) {
    var id = asked.isEmpty() ? Units.defaultDepartment(state) : asked;
    caller.require(Action.CREATE, PROJECT, Scope.department(id));
    return rules.parent(id);
  }

  private Answer update(Call call) {
    var project = found(call, Action.UPDATE);
    var body = call.body("ProjectUpdateRequest");
    var spec = rules.kept(body, rules.parent(Projects.departmentId(project)));
    var read = shares.read(body.trees("resources"));
    rules.checkNotBelowUse(project, read);
    var changed =
        change(
            project,
            object -> {
              DepartmentRules.KEPT.forEach(object.child("spec")::remove);
              spec.fields().forEach((field, value) -> object.child("spec").put(field, value));
              object.child("spec").put("resources", read);
            });
    return shown(changed).warning(rules.warnings(changed));
  }

  private Answer share(Call call, boolean merge) {
    var project = found(call, Action.UPDATE);
    var read = shares.read(call.bodies("ResourcesNullable"));
    var wanted = merge ? shares.merged(project.trees("spec", "resources"), read) : read;
    rules.checkNotBelowUse(project, wanted);
    var changed = change(project, object -> object.child("spec").put("resources", wanted));
    return Answer.json(200, resources(changed)).warning(rules.warnings(changed));
  }

  private Tree change(Tree project, java.util.function.Consumer<Tree> change) {
    return state
        .table(BerthKinds.PROJECTS)
        .change(
            "",
            Projects.name(project),
            object -> {
              change.accept(object);
              object.child("spec").put("updatedAt", state.times().now());
              return object;
            });
  }

  private Answer delete(Call call) {
    var project = found(call, Action.DELETE);
    state.table(BerthKinds.PROJECTS).delete("", Projects.name(project), DeleteOptions.DEFAULT);
    return Answer.json(202, Tree.of("code", 202, "message", "Request has been accepted."));
  }
}
