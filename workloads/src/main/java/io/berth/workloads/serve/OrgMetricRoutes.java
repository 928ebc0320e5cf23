package io.berth.workloads.serve;

import static io.berth.workloads.access.ResourceType.CLUSTER;
import static io.berth.workloads.access.ResourceType.DEPARTMENT;
import static io.berth.workloads.access.ResourceType.NODEPOOLS;
import static io.berth.workloads.access.ResourceType.NODES;
import static io.berth.workloads.access.ResourceType.PROJECT;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scope;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Metrics and telemetry of clusters, pools, nodes, departments and projects.
public final class OrgMetricRoutes {

  private static final String[] SERIES = {
    "metricType[]*", "start*", "end*", "numberOfSamples", "nodepoolName"
  };

  private final State state;
  private final NodePools pools;
  private final Metrics metrics;

  public OrgMetricRoutes(State state, NodePools pools) {
    this.state = state;
    this.pools = pools;
    this.metrics = new Metrics(state);
  }

  public void addTo(Routes routes) {
    routes
        .get(
            "/api/v1/org-unit/projects/{projectId}/metrics",
            "get_project_metrics",
            call -> metrics.of(call, podsOf(List.of(project(call)))))
        .needs(Action.READ, PROJECT)
        .query(SERIES)
        .answers(207);
    routes
        .get(
            "/api/v1/org-unit/departments/{departmentId}/metrics",
            "get_department_metrics",
            call -> metrics.of(call, podsOf(children(call))))
        .needs(Action.READ, DEPARTMENT)
        .query(SERIES)
        .answers(207);
    routes
        .get(
            "/api/v1/clusters/{clusterUuid}/metrics",
            "get_cluster_metrics",
            call -> {
              checkCluster(call);
              return metrics.of(call, pods(_ -> true));
            })
        .needs(Action.READ, CLUSTER)
        .query(SERIES)
        .query("groupBy")
        .answers(207);
    routes
        .get(
            "/api/v1/clusters/{clusterUuid}/nodepools/{nodepoolName}/metrics",
            "get_nodepool_metrics",
            call -> {
              checkCluster(call);
              var pool = pools.find(call.path("nodepoolName")).orElseThrow(Refusal::notFound);
              return metrics.of(
                  call,
                  pods(pod ->
                      pool.name().equals(pod.at("metadata", "annotations", Usage.POOL_LABEL))));
            })
        .needs(Action.READ, NODEPOOLS)
        .query(SERIES)
        .answers(207);
    routes
        .get(
            "/api/v1/nodes/{nodeId}/metrics",
            "get_node_metrics",
            call -> {
              var node = node(call.path("nodeId"));
              return metrics.of(
                  call, pods(pod -> Projects.name(node).equals(pod.text("spec", "nodeName"))));
            })
        .needs(Action.READ, NODES)
        .query(SERIES)
        .answers(207);
    addTelemetry(routes);
  }

  private void addTelemetry(Routes routes) {
    routes
        .get("/api/v1/nodes/telemetry", "get_node_telemetry", this::nodeTelemetry)
        .needs(Action.READ, NODES)
        .query("clusterId", "nodepoolName", "groupBy[]", "telemetryType*");
    routes
        .get(
            "/api/v1/org-unit/projects/telemetry",
            "get_projects_telemetry",
            call -> quotas(call, BerthKinds.PROJECTS, "ProjectId"))
        .needs(Action.READ, PROJECT)
        .query("clusterId", "nodepoolId", "departmentId", "groupBy[]", "telemetryType*");
    routes
        .get(
            "/api/v1/org-unit/departments/telemetry",
            "get_departments_telemetry",
            call -> quotas(call, BerthKinds.DEPARTMENTS, "DepartmentId"))
        .needs(Action.READ, DEPARTMENT)
        .query("clusterId", "nodepoolName", "departmentId", "groupBy[]", "telemetryType*");
  }

  private Tree project(Call call) {
    var id = call.path("projectId");
    var project = new Projects(state).find(id).orElseThrow(Refusal::notFound);
    call.caller().require(Action.READ, PROJECT, Scope.project(id));
    return project;
  }

  private List<Tree> children(Call call) {
    var id = call.path("departmentId");
    boolean exists =
        state.table(BerthKinds.DEPARTMENTS).all().stream()
            .anyMatch(each -> Projects.id(each).equals(id));
    if (!exists) {
      throw Refusal.notFound();
    }
    call.caller().require(Action.READ, DEPARTMENT, Scope.department(id));
    return state.table(BerthKinds.PROJECTS).all().stream()
        .filter(project -> Projects.departmentId(project).equals(id))
        .toList();
  }

  private List<Tree> podsOf(List<Tree> projects) {
    var names = projects.stream().map(Projects::name).toList();
    return pods(
        pod -> names.contains(String.valueOf(pod.at("metadata", "labels", Usage.PROJECT_LABEL))));
  }

  private List<Tree> pods(Predicate<Tree> wanted) {
    return state.table(Resource.PODS).all().stream()
        .filter(pod -> pod.at("metadata", "labels", Usage.PROJECT_LABEL) != null)
        .filter(wanted)
        .toList();
  }

  private void checkCluster(Call call) {
    if (!call.path("clusterUuid").equals(state.clusterId())) {
      throw Refusal.notFound();
    }
  }

  private Tree node(String id) {
    return state.table(Resource.NODES).all().stream()
        .filter(node -> id.equals(node.text("metadata", "uid")) || id.equals(Projects.name(node)))
        .findFirst()
        .orElseThrow(Refusal::notFound);
  }

  /// Counts of nodes and GPUs, by pool when asked.
  private Answer nodeTelemetry(Call call) {
    var type = call.required("telemetryType");
    var byNode = pools.poolsByNode();
    var sums = new LinkedHashMap<String, Double>();
    for (var node : state.table(Resource.NODES).all()) {
      var pool = byNode.getOrDefault(Projects.name(node), NodePools.DEFAULT);
      var wanted = call.parameter("nodepoolName");
      if (wanted.isEmpty() || wanted.equals(pool)) {
        sums.merge(pool, type.contains("GPU") ? gpus(node) : 1, Double::sum);
      }
    }
    boolean grouped = call.values("groupBy").contains("Nodepool");
    return telemetry(type, sums, grouped ? "Nodepool" : "");
  }

  private static double gpus(Tree node) {
    var text = node.textOrEmpty("status", "allocatable", "nvidia.com/gpu");
    return text.isEmpty() ? 0 : Double.parseDouble(text);
  }

  private Answer quotas(Call call, Resource resource, String group) {
    var type = call.required("telemetryType");
    var access = resource.equals(BerthKinds.PROJECTS) ? PROJECT : DEPARTMENT;
    var level = resource.equals(BerthKinds.PROJECTS) ? Scope.Level.PROJECT : Scope.Level.DEPARTMENT;
    var sums = new LinkedHashMap<String, Double>();
    for (var unit : state.table(resource).all()) {
      if (call.caller().sees(access, new Scope(level, Projects.id(unit)))) {
        double quota = 0;
        for (var entry : unit.trees("spec", "resources")) {
          quota += entry.at("gpu", "deserved") instanceof Number number ? number.doubleValue() : 0;
        }
        sums.put(Projects.id(unit), type.contains("QUOTA") ? quota : 1);
      }
    }
    return telemetry(type, sums, call.values("groupBy").contains(group) ? group : "");
  }

  private Answer telemetry(String type, Map<String, Double> sums, String group) {
    var values = new ArrayList<Object>();
    if (group.isEmpty()) {
      double sum = sums.values().stream().mapToDouble(each -> each).sum();
      values.add(Tree.of("value", plain(sum)));
    } else {
      sums.forEach((key, sum) ->
          values.add(
              Tree.of(
                  "value", plain(sum),
                  "groups", List.of(Tree.of("key", group, "value", key, "name", key)))));
    }
    return Answer.json(
        200, Tree.of("type", type, "timestamp", state.times().now(), "values", values));
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
