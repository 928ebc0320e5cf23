package io.berth.workloads.org;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.door.Given;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Node pools: nodes by a label pair. Every node is in exactly one pool; those that no pool claims
/// are in the pool `default`, which always exists.
public final class NodePools {

  public static final String DEFAULT = "default";

  /// The pool label of nodes while there is no pool but the default one.
  public static final String POOL_LABEL = "kai.scheduler/node-pool";

  private final State state;

  public NodePools(State state) {
    this.state = state;
  }

  /// A pool; `label` and `value` are what makes a node a member.
  public record Pool(String id, String name, String label, String value, Tree object) {

    static Pool of(Tree object) {
      return new Pool(
          Long.toString(object.number(0, "spec", "id")),
          object.textOrEmpty("metadata", "name"),
          object.textOrEmpty("spec", "labelKey"),
          object.textOrEmpty("spec", "labelValue"),
          object);
    }

    public boolean isDefault() {
      return name.equals(DEFAULT);
    }

    public boolean isBeingDeleted() {
      return object.text("metadata", "deletionTimestamp") != null;
    }

    /// For how long a workload keeps what it has started with, over quota or not.
    public Duration guaranteedRuntime() {
      return Durations.findSensible(
              object.textOrEmpty("spec", "schedulingConfiguration", "minGuaranteedRuntime"))
          .orElse(Duration.ZERO);
    }

    /// The label whose value tells which nodes multi-node NVLink connects.
    public String accelerationLabel() {
      var key = object.textOrEmpty("spec", "gpuNetworkAccelerationLabelKey");
      return key.isEmpty() ? PoolView.DEFAULT_ACCELERATION : key;
    }

    public boolean hasTopology() {
      return !object.textOrEmpty("spec", "networkTopologyId").isEmpty();
    }

    boolean claims(Tree node) {
      return !isDefault() && value.equals(node.at("metadata", "labels", label));
    }
  }

  /// Makes the default pool unless it is there.
  public void ensureDefault() {
    var pools = state.table(BerthKinds.NODE_POOLS);
    if (pools.find("", DEFAULT).isEmpty()) {
      var now = state.times().now();
      pools.create(
          Tree.of(
              "metadata",
              Tree.of("name", DEFAULT),
              "spec",
              Tree.of(
                  "id",
                  state.nextId(),
                  "labelKey",
                  POOL_LABEL,
                  "labelValue",
                  DEFAULT,
                  "overProvisioningRatio",
                  1,
                  "gpuNetworkAccelerationDetection",
                  "Auto",
                  "createdBy",
                  "berth",
                  "createdAt",
                  now,
                  "updatedBy",
                  "berth",
                  "updatedAt",
                  now)));
    }
  }

  public List<Pool> all() {
    return state.units(BerthKinds.NODE_POOLS).stream().map(Pool::of).toList();
  }

  public Optional<Pool> find(String name) {
    return state.table(BerthKinds.NODE_POOLS).find("", name).filter(Given::hasId).map(Pool::of);
  }

  public Optional<Pool> findById(String id) {
    return all().stream().filter(pool -> pool.id().equals(id)).findFirst();
  }

  /// The pool an entry of a quota is about: by its number, else by its name, else the default one.
  public static Optional<Pool> referred(List<Pool> pools, Tree entry) {
    var id = entry.textOrEmpty("nodePool", "id");
    var name = entry.textOrEmpty("nodePool", "name");
    return pools.stream()
        .filter(pool ->
            id.isEmpty()
                ? pool.name().equals(name.isEmpty() ? DEFAULT : name)
                : pool.id().equals(id))
        .findFirst();
  }

  /// What a unit deserves of a resource in a pool, or in all pools when that is empty.
  public double quota(Tree unit, String resource, String pool) {
    var all = all();
    double sum = 0;
    for (var entry : unit.trees("spec", "resources")) {
      var about = referred(all, entry);
      if (about.isPresent() && (pool.isEmpty() || about.get().name().equals(pool))) {
        sum += Units.amount(entry.at(resource, "deserved"));
      }
    }
    return sum;
  }

  /// The pool a node is in. Were two pools to claim it, the older one would have it.
  public String poolOf(Tree node) {
    for (var pool : all()) {
      if (pool.claims(node)) {
        return pool.name();
      }
    }
    return DEFAULT;
  }

  /// Pool by node name.
  public Map<String, String> poolsByNode() {
    var pools = all();
    var byNode = new LinkedHashMap<String, String>();
    for (var node : state.table(Resource.NODES).all()) {
      var claiming = pools.stream().filter(pool -> pool.claims(node)).findFirst();
      byNode.put(node.textOrEmpty("metadata", "name"), claiming.map(Pool::name).orElse(DEFAULT));
    }
    return byNode;
  }

  public List<Tree> nodesOf(String pool) {
    var byNode = poolsByNode();
    var nodes = new ArrayList<Tree>();
    for (var node : state.table(Resource.NODES).all()) {
      if (pool.equals(byNode.get(node.textOrEmpty("metadata", "name")))) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  /// Whether a pool's nodes are connected by multi-node NVLink.
  public boolean isAccelerated(Pool pool) {
    return PoolView.isAccelerated(pool, nodesOf(pool.name()));
  }

  /// The expressions that hold for the nodes of a pool and no others.
  ///
  /// Of a pool whose label a node carries beside that of an older one, the older is left out: it
  /// has the node. For the default pool: that the pools' label does not exist, or, on a cluster
  /// where some node carries it with a value no pool has, that its value is none of the pools'.
  public List<Tree> expressions(Pool pool) {
    if (!pool.isDefault()) {
      var expressions = new ArrayList<>(exclusions(pool));
      expressions.add(expression(pool.label(), "In", List.of(pool.value())));
      return expressions;
    }
    var values = new LinkedHashMap<String, List<Object>>();
    for (var other : all()) {
      if (!other.isDefault()) {
        values.computeIfAbsent(other.label(), _ -> new ArrayList<>()).add(other.value());
      }
    }
    if (values.isEmpty()) {
      return List.of(expression(POOL_LABEL, "DoesNotExist", List.of()));
    }
    var expressions = new ArrayList<Tree>();
    values.forEach((label, taken) ->
        expressions.add(
            hasStrays(label, taken)
                ? expression(label, "NotIn", taken)
                : expression(label, "DoesNotExist", List.of())));
    return expressions;
  }

  /// What keeps a pool from nodes that have its label and are an older pool's.
  public List<Tree> exclusions(Pool pool) {
    var exclusions = new ArrayList<Tree>();
    for (var rival : rivals(pool)) {
      if (nodes().stream().anyMatch(node -> pool.claims(node) && rival.claims(node))) {
        exclusions.add(expression(rival.label(), "NotIn", List.of(rival.value())));
      }
    }
    return exclusions;
  }

  /// The names of nodes that have a pool's label, and that of an older pool, which has them.
  List<String> claimedTwice(Pool pool) {
    var rivals = rivals(pool);
    return nodes().stream()
        .filter(pool::claims)
        .filter(node -> rivals.stream().anyMatch(rival -> rival.claims(node)))
        .map(node -> node.textOrEmpty("metadata", "name"))
        .toList();
  }

  /// Older pools that go by another label: a node may have both.
  private List<Pool> rivals(Pool pool) {
    return all().stream()
        .takeWhile(other -> !other.name().equals(pool.name()))
        .filter(other -> !other.isDefault() && !other.label().equals(pool.label()))
        .toList();
  }

  private List<Tree> nodes() {
    return state.table(Resource.NODES).all();
  }

  private boolean hasStrays(String label, List<Object> values) {
    return state.table(Resource.NODES).all().stream()
        .map(node -> node.at("metadata", "labels", label))
        .anyMatch(value -> value != null && !values.contains(value));
  }

  private static Tree expression(String key, String operator, List<?> values) {
    var expression = Tree.of("key", key, "operator", operator);
    return values.isEmpty() ? expression : expression.put("values", new ArrayList<>(values));
  }
}
