package io.berth.workloads.state;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Everything the workload layer knows, as tables that follow the cluster.
public final class State implements AutoCloseable {

  /// Where the layer keeps what belongs to no project.
  public static final String NAMESPACE = "berth-system";

  /// On every pod of a workload: the workload's id.
  public static final String WORKLOAD_ID_LABEL = "berth.io/workload-id";

  /// On workloads: when they were submitted, to the millisecond.
  public static final String CREATED_AT = "berth.io/created-at";

  private static final String TENANT = "tenant";
  private static final long TENANT_ID = 1001;

  private final Cluster cluster;
  private final Times times;
  private final Map<Resource, Objects> tables = new LinkedHashMap<>();

  private State(Cluster cluster, InstantSource clock) {
    this.cluster = cluster;
    this.times = new Times(clock);
    for (var resource :
        List.of(
            BerthKinds.TENANTS,
            BerthKinds.DEPARTMENTS,
            BerthKinds.PROJECTS,
            BerthKinds.NODE_POOLS,
            BerthKinds.NETWORK_TOPOLOGIES,
            BerthKinds.ACCESS_RULES,
            BerthKinds.POLICIES,
            BerthKinds.TEMPLATES,
            BerthKinds.ASSETS,
            BerthKinds.WORKLOAD_TYPES,
            BerthKinds.DELETED_WORKLOADS,
            BerthKinds.WORKSPACES,
            BerthKinds.TRAININGS,
            BerthKinds.DISTRIBUTED,
            BerthKinds.INFERENCES,
            BerthKinds.DISTRIBUTED_INFERENCES,
            Resource.NODES,
            Resource.PODS,
            Resource.NAMESPACES,
            Resource.POD_DISRUPTION_BUDGETS,
            Resource.SECRETS,
            Resource.CORE_EVENTS)) {
      // Of secrets, only those that the layer keeps itself: the others are none of its business.
      var namespace = resource.equals(Resource.SECRETS) ? NAMESPACE : "";
      tables.put(resource, new Objects(cluster, resource, namespace));
    }
    table(Resource.PODS)
        .indexed(pod ->
            pod.at("metadata", "labels", WORKLOAD_ID_LABEL) instanceof String id ? id : null);
  }

  /// Starts following the cluster, and returns when everything there is is known.
  public static State open(Cluster cluster, InstantSource clock) throws InterruptedException {
    var state = new State(cluster, clock);
    state.ensureNamespace(NAMESPACE, Tree.of());
    for (var table : state.tables.values()) {
      Definitions.awaitServed(cluster, table);
    }
    state.tables.values().forEach(Objects::start);
    for (var table : state.tables.values()) {
      table.awaitSynced();
    }
    state.ensureTenant();
    return state;
  }

  public Objects table(Resource resource) {
    return java.util.Objects.requireNonNull(tables.get(resource), resource::qualified);
  }

  public Cluster cluster() {
    return cluster;
  }

  public Times times() {
    return times;
  }

  public long tenantId() {
    return TENANT_ID;
  }

  /// The cluster's id in the API.
  public String clusterId() {
    return tenant().textOrEmpty("spec", "clusterId");
  }

  public String clusterName() {
    return tenant().textOrEmpty("spec", "clusterName");
  }

  public Tree tenant() {
    return table(BerthKinds.TENANTS).find("", TENANT).orElseThrow();
  }

  public Tree changeTenant(java.util.function.UnaryOperator<Tree> change) {
    return table(BerthKinds.TENANTS).change("", TENANT, change);
  }

  /// A number that has not been given out before, for everything the API numbers.
  public long nextId() {
    var next = new long[1];
    changeTenant(tenant -> {
      next[0] = tenant.number(1, "spec", "nextId");
      return tenant.putAt(next[0] + 1, "spec", "nextId");
    });
    return next[0];
  }

  /// The departments, projects or node pools that have been taken in: those with a number.
  public List<Tree> units(Resource resource) {
    return table(resource).all().stream().filter(unit -> unit.number(0, "spec", "id") > 0).toList();
  }

  /// All workloads of all types, oldest first.
  public List<Tree> workloads() {
    var all = new ArrayList<Tree>();
    for (var resource : BerthKinds.WORKLOADS) {
      all.addAll(table(resource).all());
    }
    all.sort(
        Comparator.comparing(State::createdAt)
            .thenComparing(workload -> workload.textOrEmpty("metadata", "uid")));
    return all;
  }

  public static String createdAt(Tree object) {
    return object.at("metadata", "annotations", CREATED_AT) instanceof String exact
        ? exact
        : Times.of(object.textOrEmpty("metadata", "creationTimestamp"));
  }

  /// The pods of a workload.
  public List<Tree> podsOf(Tree workload) {
    return table(Resource.PODS).with(workload.textOrEmpty("metadata", "uid"));
  }

  /// Creates a namespace unless it is there.
  public void ensureNamespace(String name, Tree labels) {
    try {
      table(Resource.NAMESPACES)
          .create(Tree.of("metadata", Tree.of("name", name, "labels", labels)));
    } catch (ApiException e) {
      if (e.code() != 409) {
        throw e;
      }
    }
  }

  private void ensureTenant() {
    if (table(BerthKinds.TENANTS).find("", TENANT).isEmpty()) {
      table(BerthKinds.TENANTS)
          .create(
              Tree.of(
                  "metadata",
                  Tree.of("name", TENANT),
                  "spec",
                  Tree.of(
                      "tenantId",
                      TENANT_ID,
                      "clusterId",
                      UUID.randomUUID().toString(),
                      "clusterName",
                      "berth",
                      "createdAt",
                      times.now(),
                      "nextId",
                      1)));
    }
  }

  @Override
  public void close() {
    tables.values().forEach(Objects::close);
  }
}
