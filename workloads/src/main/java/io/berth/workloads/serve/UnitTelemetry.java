package io.berth.workloads.serve;

import static io.berth.workloads.access.ResourceType.DEPARTMENT;
import static io.berth.workloads.access.ResourceType.PROJECT;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scope.Level;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.List;

/// Telemetry of projects and departments: quotas and what is held of them, now.
public final class UnitTelemetry {

  private final State state;
  private final NodePools pools;
  private final Projects projects;

  public UnitTelemetry(State state, NodePools pools) {
    this.state = state;
    this.pools = pools;
    this.projects = new Projects(state);
  }

  public void addTo(Routes routes) {
    routes
        .get("/api/v1/org-unit/projects/telemetry", "get_projects_telemetry", this::ofProjects)
        .needs(Action.READ, PROJECT)
        .query("clusterId", "nodepoolId", "departmentId", "groupBy[]", "telemetryType*");
    routes
        .get(
            "/api/v1/org-unit/departments/telemetry",
            "get_departments_telemetry",
            this::ofDepartments)
        .needs(Action.READ, DEPARTMENT)
        .query("clusterId", "nodepoolName", "departmentId", "groupBy[]", "telemetryType*");
  }

  private Answer ofProjects(Call call) {
    var groups = List.of("ClusterId", "NodepoolId", "DepartmentId", "ProjectId");
    return answer(call, BerthKinds.PROJECTS, groups, "nodepoolId");
  }

  private Answer ofDepartments(Call call) {
    var groups = List.of("ClusterId", "NodepoolName", "DepartmentId");
    return answer(call, BerthKinds.DEPARTMENTS, groups, "nodepoolName");
  }

  private Answer answer(Call call, Resource resource, List<String> groups, String poolParameter) {
    var type = Sums.type(call);
    var sums = new Sums(call, groups);
    var usage = Usage.of(state, pools);
    for (var unit : state.table(resource).all()) {
      if (!isAskedFor(unit, resource, call)) {
        continue;
      }
      for (var pool : pools.all()) {
        var wanted = call.parameter(poolParameter);
        if (wanted.isEmpty() || wanted.equals(pool.id()) || wanted.equals(pool.name())) {
          sums.add(
              amount(type, unit, resource, pool, usage),
              group -> value(group, unit, resource, pool),
              group -> name(group, unit, resource, pool));
        }
      }
    }
    return Answer.json(200, sums.tree(type, state.times().now()));
  }

  private boolean isAskedFor(Tree unit, Resource resource, Call call) {
    boolean isProject = resource.equals(BerthKinds.PROJECTS);
    var scope = new Scope(isProject ? Level.PROJECT : Level.DEPARTMENT, Projects.id(unit));
    var cluster = call.parameter("clusterId");
    var department = call.parameter("departmentId");
    return call.caller().sees(isProject ? PROJECT : DEPARTMENT, scope)
        && (cluster.isEmpty() || cluster.equals(state.clusterId()))
        && (department.isEmpty() || department.equals(departmentId(unit, resource)));
  }

  private static String departmentId(Tree unit, Resource resource) {
    return resource.equals(BerthKinds.PROJECTS) ? Projects.departmentId(unit) : Projects.id(unit);
  }

  private double amount(
      String type, Tree unit, Resource resource, NodePools.Pool pool, Usage usage) {
    return switch (type) {
      case "GPU_QUOTA" -> quota(unit, "gpu", pool);
      case "CPU_QUOTA" -> quota(unit, "cpu", pool);
      case "MEMORY_QUOTA" -> quota(unit, "memory", pool);
      case "GPU_ALLOCATION" -> use(unit, resource, pool, usage).allocated().gpu();
      case "CPU_ALLOCATION" -> use(unit, resource, pool, usage).allocated().cpu();
      case "MEMORY_ALLOCATION" -> use(unit, resource, pool, usage).allocated().memory();
      case "GPU_ALLOCATION_NON_PREEMPTIBLE" ->
          use(unit, resource, pool, usage).allocatedNonPreemptible().gpu();
      case "CPU_ALLOCATION_NON_PREEMPTIBLE" ->
          use(unit, resource, pool, usage).allocatedNonPreemptible().cpu();
      case "MEMORY_ALLOCATION_NON_PREEMPTIBLE" ->
          use(unit, resource, pool, usage).allocatedNonPreemptible().memory();
      default -> throw Refusal.badRequest("telemetryType: \"%s\" does not exist".formatted(type));
    };
  }

  private double quota(Tree unit, String resource, NodePools.Pool pool) {
    return pools.quota(unit, resource, pool.name());
  }

  private Usage.Use use(Tree unit, Resource resource, NodePools.Pool pool, Usage usage) {
    if (resource.equals(BerthKinds.PROJECTS)) {
      return usage.in(Projects.name(unit), pool.name());
    }
    var sum = new Usage.Use(Usage.Amount.ZERO, Usage.Amount.ZERO, Usage.Amount.ZERO);
    for (var project : state.units(BerthKinds.PROJECTS)) {
      if (Projects.departmentId(project).equals(Projects.id(unit))) {
        sum = sum.plus(usage.in(Projects.name(project), pool.name()));
      }
    }
    return sum;
  }

  private String value(String group, Tree unit, Resource resource, NodePools.Pool pool) {
    return switch (group) {
      case "ClusterId" -> state.clusterId();
      case "NodepoolId" -> pool.id();
      case "NodepoolName" -> pool.name();
      case "DepartmentId" -> departmentId(unit, resource);
      default -> Projects.id(unit);
    };
  }

  private String name(String group, Tree unit, Resource resource, NodePools.Pool pool) {
    return switch (group) {
      case "ClusterId" -> state.clusterName();
      case "NodepoolId", "NodepoolName" -> pool.name();
      case "DepartmentId" ->
          resource.equals(BerthKinds.PROJECTS)
              ? projects.department(unit).map(Projects::name).orElse("")
              : Projects.name(unit);
      default -> Projects.name(unit);
    };
  }
}
