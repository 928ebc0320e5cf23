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
import io.berth.workloads.serve.Metrics.Series;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Metrics of clusters, pools, nodes, departments and projects.
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
            call -> ofUnit(call, List.of(project(call))))
        .needs(Action.READ, PROJECT)
        .query(SERIES)
        .answers(207);
    routes
        .get(
            "/api/v1/org-unit/departments/{departmentId}/metrics",
            "get_department_metrics",
            call -> ofUnit(call, children(call)))
        .needs(Action.READ, DEPARTMENT)
        .query(SERIES)
        .answers(207);
    routes
        .get(
            "/api/v1/clusters/{clusterUuid}/metrics",
            "get_cluster_metrics",
            call -> ofNodes(call, call.parameter("nodepoolName")))
        .needs(Action.READ, CLUSTER)
        .query(SERIES)
        .query("groupBy")
        .answers(207);
    routes
        .get(
            "/api/v1/clusters/{clusterUuid}/nodepools/{nodepoolName}/metrics",
            "get_nodepool_metrics",
            call -> ofNodes(call, call.path("nodepoolName")))
        .needs(Action.READ, NODEPOOLS)
        .query(SERIES)
        .answers(207);
    routes
        .get(
            "/api/v1/nodes/{nodeId}/metrics",
            "get_node_metrics",
            call -> {
              checkNode(call.path("nodeId"));
              return metrics.of(call, MetricType.NODE, Map.of());
            })
        .needs(Action.READ, NODES)
        .query(SERIES)
        .answers(207);
  }

  // ---- departments and projects ----------------------------------------------------------------

  private Tree project(Call call) {
    var id = call.path("projectId");
    var project = new Projects(state).find(id).orElseThrow(Refusal::notFound);
    call.caller().require(Action.READ, PROJECT, Scope.project(id));
    return project;
  }

  private List<Tree> children(Call call) {
    var id = call.path("departmentId");
    boolean exists =
        state.units(BerthKinds.DEPARTMENTS).stream().anyMatch(each -> Projects.id(each).equals(id));
    if (!exists) {
      throw Refusal.notFound();
    }
    call.caller().require(Action.READ, DEPARTMENT, Scope.department(id));
    return state.units(BerthKinds.PROJECTS).stream()
        .filter(project -> Projects.departmentId(project).equals(id))
        .toList();
  }

  /// Quotas as they are now: nobody keeps what they were.
  private Answer ofUnit(Call call, List<Tree> projects) {
    var pool = call.parameter("nodepoolName");
    var names = projects.stream().map(Projects::name).toList();
    var pods =
        pods(pod ->
            names.contains(String.valueOf(pod.at("metadata", "labels", Usage.PROJECT_LABEL)))
                && isIn(pod, pool));
    var series = new LinkedHashMap<String, Series>();
    series.put("GPU_QUOTA", constant(quota(projects, "gpu", pool)));
    series.put("CPU_QUOTA_MILLICORES", constant(quota(projects, "cpu", pool)));
    series.put("CPU_MEMORY_QUOTA_MB", constant(quota(projects, "memory", pool)));
    series.put("GPU_ALLOCATION", Metrics.running(pods, pod -> Usage.amountOf(pod).gpu()));
    series.put(
        "CPU_ALLOCATION_MILLICORES", Metrics.running(pods, pod -> Usage.amountOf(pod).cpu()));
    series.put(
        "CPU_MEMORY_ALLOCATION_MB",
        Metrics.running(pods, pod -> Usage.amountOf(pod).memory() / 1e6));
    return metrics.of(call, MetricType.ORG_UNIT, series);
  }

  private double quota(List<Tree> units, String resource, String pool) {
    return units.stream().mapToDouble(unit -> pools.quota(unit, resource, pool)).sum();
  }

  private static Series constant(double value) {
    return _ -> value;
  }

  // ---- clusters, pools and nodes ---------------------------------------------------------------

  private Answer ofNodes(Call call, String pool) {
    if (!call.path("clusterUuid").equals(state.clusterId())
        || (!pool.isEmpty() && pools.find(pool).isEmpty())) {
      throw Refusal.notFound();
    }
    var nodes = pool.isEmpty() ? state.table(Resource.NODES).all() : pools.nodesOf(pool);
    double gpus = nodes.stream().mapToDouble(NodeTelemetry::gpus).sum();
    var allocated = Metrics.running(pods(pod -> isIn(pod, pool)), pod -> Usage.amountOf(pod).gpu());
    var series = new LinkedHashMap<String, Series>();
    series.put(
        "TOTAL_GPU_NODES",
        constant((double) nodes.stream().filter(node -> NodeTelemetry.gpus(node) > 0).count()));
    series.put("TOTAL_GPU", constant(gpus));
    series.put("GPU_QUOTA", constant(quota(state.units(BerthKinds.PROJECTS), "gpu", pool)));
    series.put("ALLOCATED_GPU", allocated);
    series.put("UNALLOCATED_GPU", when -> gpus - allocated.at(when));
    return metrics.of(call, MetricType.CLUSTER, series);
  }

  private List<Tree> pods(Predicate<Tree> wanted) {
    return state.table(Resource.PODS).all().stream()
        .filter(pod -> pod.at("metadata", "labels", Usage.PROJECT_LABEL) != null)
        .filter(wanted)
        .toList();
  }

  private static boolean isIn(Tree pod, String pool) {
    return pool.isEmpty() || pool.equals(pod.at("metadata", "annotations", Usage.POOL_LABEL));
  }

  private void checkNode(String id) {
    boolean exists =
        state.table(Resource.NODES).all().stream()
            .anyMatch(
                node -> id.equals(node.text("metadata", "uid")) || id.equals(Projects.name(node)));
    if (!exists) {
      throw Refusal.notFound();
    }
  }
}
