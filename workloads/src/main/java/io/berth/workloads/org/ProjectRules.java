package io.berth.workloads.org;

import io.berth.api.Tree;
import io.berth.workloads.door.Given;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.types.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a project must be: a name, a namespace of its own, a department, pools that exist.
public final class ProjectRules implements UnitRules {

  private static final List<String> KEPT =
      List.of(
          "description",
          "schedulingRules",
          "defaultNodePools",
          "nodeTypes",
          "requestedNamespace",
          "enforceRunaiScheduler");

  private final State state;
  private final NodePools pools;
  private final Shares shares;

  public ProjectRules(State state, NodePools pools) {
    this.state = state;
    this.pools = pools;
    this.shares = new Shares(pools);
  }

  @Override
  public void check(Tree object, @Nullable Tree old) {
    Given.checkId(object, old);
    var request = Units.asked(object, state);
    Types.REQUESTS.check("ProjectCreationRequest", request);
    Units.checkName(Projects.name(object));
    var asked = request.textOrEmpty("parentId");
    kept(request, parent(asked.isEmpty() ? Units.defaultDepartment(state) : asked));
    var read = shares.read(request.trees("resources"));
    checkNamespace(object);
    if (old != null) {
      Given.checkUnchanged("parentId", object, old);
      Given.checkUnchanged("requestedNamespace", object, old);
      checkShares(old, read);
    }
  }

  Tree parent(String id) {
    return Units.find(state, BerthKinds.DEPARTMENTS, id)
        .orElseThrow(() ->
            Refusal.badRequest(
                "Bad request - parentId: there is no department \"%s\"".formatted(id)));
  }

  /// The fields that are kept as they come; checked against what they refer to.
  Tree kept(Tree request, Tree department) {
    Units.checkPools(pools, request);
    SchedulingRules.check(request, department);
    return Units.kept(request, KEPT);
  }

  void checkNamespace(Tree project) {
    var namespace = Projects.namespace(project);
    if (!namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
      throw Refusal.badRequest(
          "Bad request - requestedNamespace: \"%s\" is no namespace name".formatted(namespace));
    }
    // Whoever runs pods in a namespace can read its secrets.
    if (namespace.equals(State.NAMESPACE) || namespace.startsWith("kube-")) {
      throw Refusal.badRequest(
          "Bad request - requestedNamespace: namespace \"%s\" belongs to the system"
              .formatted(namespace));
    }
    for (var other : state.units(BerthKinds.PROJECTS)) {
      if (Projects.namespace(other).equals(namespace)
          && !Projects.name(other).equals(Projects.name(project))) {
        throw Refusal.badRequest(
            "Bad request - requestedNamespace: namespace \"%s\" belongs to another project"
                .formatted(namespace));
      }
    }
  }

  /// What non-preemptible workloads hold stays guaranteed.
  @Override
  public void checkShares(Tree project, List<Tree> resources) {
    var usage = Usage.of(state, pools);
    for (var entry : shares.shown(resources)) {
      var pool = entry.textOrEmpty("nodePool", "name");
      var held = usage.in(Projects.name(project), pool).allocatedNonPreemptible().gpu();
      if (Units.amount(entry.at("gpu", "deserved")) < held
          && Units.amount(entry.at("gpu", "deserved")) < deserved(project, pool)) {
        throw Refusal.badRequest(
            "Bad request - resources: %s GPUs of node pool \"%s\" are held by non-preemptible workloads; the quota cannot be less"
                .formatted(plain(held), pool));
      }
    }
  }

  @Override
  public List<String> warnings(Tree project) {
    var warnings = new ArrayList<>(SchedulingRules.warnings(project));
    var department = parent(Projects.departmentId(project));
    var siblings =
        state.units(BerthKinds.PROJECTS).stream()
            .filter(each -> Projects.departmentId(each).equals(Units.id(department)))
            .toList();
    for (var pool : pools.all()) {
      double quota = deserved(department, pool.name());
      double promised = siblings.stream().mapToDouble(each -> deserved(each, pool.name())).sum();
      if (promised > quota && deserved(project, pool.name()) > 0) {
        warnings.add(
            "resources: the projects of department %s are promised %s GPUs of node pool %s, and it has a quota of %s"
                .formatted(Projects.name(department), plain(promised), pool.name(), plain(quota)));
      }
    }
    return warnings;
  }

  private double deserved(Tree project, String pool) {
    return shares.shown(project.trees("spec", "resources")).stream()
        .filter(entry -> entry.textOrEmpty("nodePool", "name").equals(pool))
        .mapToDouble(entry -> Units.amount(entry.at("gpu", "deserved")))
        .sum();
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  /// A project is held until its workloads are gone: anybody may begin its end.
  @Override
  public void checkDeletion(Tree object) {}

  @Override
  public Tree takenIn(Tree object) {
    var spec = Units.numbered(object, state).child("spec");
    spec.putIfAbsent("parentId", Units.defaultDepartment(state));
    spec.putIfAbsent("enforceRunaiScheduler", true);
    var finalizers = object.child("metadata").childList("finalizers");
    if (!finalizers.contains(ProjectRoutes.FINALIZER)) {
      finalizers.add(ProjectRoutes.FINALIZER);
    }
    return object;
  }
}
