package io.berth.workloads.org;

import static io.berth.workloads.access.ResourceType.PROJECT;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Caller;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `/api/v1/org-unit/projects`
public final class ProjectRoutes {

  /// Holds a project until its workloads and its namespace are gone.
  public static final String FINALIZER = "berth.io/workloads";

  private static final Logger log = LoggerFactory.getLogger(ProjectRoutes.class);

  private final State state;
  private final Scopes scopes;
  private final Shares shares;
  private final ProjectRules rules;
  private final UnitRoutes units;

  public ProjectRoutes(State state, Scopes scopes, NodePools pools, ProjectRules rules) {
    this.state = state;
    this.scopes = scopes;
    this.shares = new Shares(pools);
    this.rules = rules;
    this.units = new UnitRoutes(state, pools, UnitKind.PROJECT, rules);
  }

  public void addTo(Routes routes) {
    units.addTo(routes);
    var base = UnitKind.PROJECT.path();
    routes
        .post(base, "create_project", this::create)
        .needs(Action.CREATE, PROJECT)
        .takes("ProjectCreationRequest")
        .answers(201);
    routes
        .put(base + "/{projectId}", "update_project", this::update)
        .needs(Action.UPDATE, PROJECT)
        .takes("ProjectUpdateRequest")
        .answers(200);
    routes
        .delete(base + "/{projectId}", "delete_project", this::delete)
        .needs(Action.DELETE, PROJECT)
        .answers(202);
  }

  private Answer create(Call call) {
    var body = call.body("ProjectCreationRequest");
    var parent = parent(body.textOrEmpty("parentId"), call.caller());
    var name = body.textOrEmpty("name");
    Units.checkName(name);
    Units.checkCluster(state, body.textOrEmpty("clusterId"));
    var spec = rules.kept(body, parent).put("parentId", Units.id(parent));
    spec.putIfAbsent("enforceRunaiScheduler", true);
    var read = shares.read(body.trees("resources"));
    var project = Tree.of("metadata", Tree.of("name", name), "spec", spec);
    rules.checkNamespace(project);
    checkAdoption(project, call.caller());
    var metadata = Tree.of("finalizers", List.of(FINALIZER));
    var created = units.create(name, metadata, spec, read, call.caller().name());
    try {
      state.ensureNamespace(Projects.namespace(created), Tree.of(Usage.PROJECT_LABEL, name));
    } catch (ApiException e) {
      // The project is there, and is not ready yet: the controller goes on trying.
      log.warn("project {}: {}", name, e.getMessage());
    }
    return units.made(created);
  }

  /// A namespace that is there already holds what somebody put there: it is for those who may make
  /// projects everywhere.
  private void checkAdoption(Tree project, Caller caller) {
    if (caller.may(Action.CREATE, PROJECT, scopes.cluster())
        || state.table(BerthKinds.PROJECTS).find("", Projects.name(project)).isPresent()) {
      return;
    }
    try {
      state.cluster().fetch(Resource.NAMESPACES, "", Projects.namespace(project));
    } catch (ApiException e) {
      if (e.code() != 404) {
        throw e;
      }
      return;
    }
    throw Refusal.forbidden();
  }

  // Rights first: whether there is such a department is not for everybody to know.
  private Tree parent(String asked, Caller caller) {
    var id = asked.isEmpty() ? Units.defaultDepartment(state) : asked;
    caller.require(Action.CREATE, PROJECT, Scope.department(id));
    return rules.parent(id);
  }

  private Answer update(Call call) {
    var project = units.found(call, Action.UPDATE);
    var body = call.body("ProjectUpdateRequest");
    var kept = rules.kept(body, rules.parent(Projects.departmentId(project)));
    return units.replace(project, kept, shares.read(body.trees("resources")));
  }

  private Answer delete(Call call) {
    var project = units.found(call, Action.DELETE);
    state.table(BerthKinds.PROJECTS).delete(project);
    return Answer.json(202, Tree.of("code", 202, "message", "Request has been accepted."));
  }
}
