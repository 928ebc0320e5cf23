package io.berth.workloads.org;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.list.Columns;
import io.berth.workloads.list.Columns.Kind;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Departments and projects as the API shows them.
final class UnitView {

  static final Columns PROJECT_COLUMNS =
      units()
          .texts("parentId", "parentName")
          .column("departmentId", Kind.TEXT, unit -> unit.get("parentId"))
          .column("phase", Kind.TEXT, unit -> unit.at("status", "phase"));

  static final Columns DEPARTMENT_COLUMNS = units();

  private final State state;
  private final NodePools pools;
  private final Shares shares;

  UnitView(State state, NodePools pools) {
    this.state = state;
    this.pools = pools;
    this.shares = new Shares(pools);
  }

  private static Columns units() {
    var columns =
        Columns.searching("name", "description")
            .texts("name", "clusterId")
            .times("createdAt")
            .column("totalGpuQuota", Kind.NUMBER, unit -> unit.at("totalResources", "gpuQuota"))
            .column("gpuAllocated", Kind.NUMBER, UnitView::allocated);
    for (var what : List.of("Allocation", "Utilization", "MemoryUtilization")) {
      for (var span : List.of("24h", "7d", "30d")) {
        columns.numbers("avgGpu" + what + span);
      }
    }
    return columns;
  }

  private static @Nullable Object allocated(Tree unit) {
    return unit.at("status", "quotaStatus", "allocated", "gpu");
  }

  Tree department(Tree unit, Usage usage) {
    var quota = Usage.Use.NONE;
    var names = new ArrayList<String>();
    var children = new ArrayList<Object>();
    for (var project : state.units(BerthKinds.PROJECTS)) {
      if (Projects.departmentId(project).equals(Units.id(unit))) {
        quota = quota.plus(usage.total(Projects.name(project)));
        names.add(Projects.name(project));
        children.add(Tree.of("id", Units.id(project), "name", Projects.name(project)));
      }
    }
    return common(unit)
        .put("projectChildren", children)
        .put("projects", children.size())
        .put(
            "status",
            Tree.of("quotaStatus", quota.tree(), "nodePoolQuotaStatuses", byPool(names, usage)));
  }

  Tree project(Tree unit, Usage usage) {
    var department = Units.find(state, BerthKinds.DEPARTMENTS, Projects.departmentId(unit));
    var projects = new Projects(state);
    return common(unit)
        .put("parentId", Projects.departmentId(unit))
        .put("parentName", department.map(Projects::name).orElse(""))
        .put(
            "parent",
            Tree.of(
                "id",
                Projects.departmentId(unit),
                "name",
                department.map(Projects::name).orElse("")))
        .put("requestedNamespace", unit.text("spec", "requestedNamespace"))
        .put("enforceRunaiScheduler", unit.flag("spec", "enforceRunaiScheduler"))
        .put(
            "effective",
            Tree.of(
                "defaultNodePools", new ArrayList<Object>(projects.defaultNodePools(unit)),
                "schedulingRules", SchedulingRules.effective(unit, department.orElse(null)),
                "nodeTypes", inherited(unit, department.orElse(null), "nodeTypes")))
        .put("status", status(unit, usage));
  }

  private static @Nullable Object inherited(Tree unit, @Nullable Tree parent, String field) {
    var own = unit.at("spec", field);
    return own != null || parent == null ? own : parent.at("spec", field);
  }

  private Tree status(Tree project, Usage usage) {
    var name = Projects.name(project);
    boolean leaving = project.text("metadata", "deletionTimestamp") != null;
    var namespace = Projects.namespace(project);
    boolean ready = state.table(Resource.NAMESPACES).find("", namespace).isPresent();
    return Tree.of(
        "namespace",
        namespace,
        "phase",
        leaving ? "Deleting" : ready ? "Ready" : "NotReady",
        "phaseMessage",
        leaving || ready ? "" : "namespace %s is not there yet".formatted(namespace),
        "nodePoolQuotaStatuses",
        byPool(List.of(name), usage),
        "quotaStatus",
        usage.total(name).tree());
  }

  /// What projects use together, in each pool.
  private List<Object> byPool(List<String> projects, Usage usage) {
    var byPool = new ArrayList<Object>();
    for (var pool : pools.all()) {
      var use = Usage.Use.NONE;
      for (var project : projects) {
        use = use.plus(usage.in(project, pool.name()));
      }
      byPool.add(use.tree().put("nodePoolId", pool.id()).put("nodePoolName", pool.name()));
    }
    return byPool;
  }

  private Tree common(Tree unit) {
    var resources = unit.trees("spec", "resources");
    return Tree.of(
        "id", Units.id(unit),
        "name", Projects.name(unit),
        "description", unit.textOrEmpty("spec", "description"),
        "clusterId", state.clusterId(),
        "createdAt", unit.textOrEmpty("spec", "createdAt"),
        "updatedAt", unit.textOrEmpty("spec", "updatedAt"),
        "createdBy", unit.textOrEmpty("spec", "createdBy"),
        "schedulingRules", unit.at("spec", "schedulingRules"),
        "defaultNodePools", unit.at("spec", "defaultNodePools"),
        "nodeTypes", unit.at("spec", "nodeTypes"),
        "resources", new ArrayList<Object>(shares.shown(resources)),
        "totalResources", shares.totals(resources));
  }
}
