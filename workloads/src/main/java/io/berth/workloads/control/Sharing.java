package io.berth.workloads.control;

import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.Quantity;
import io.berth.api.Requirement;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.NodeReader;
import io.berth.codec.PodReader;
import io.berth.engine.Engine;
import io.berth.quota.Arbiter;
import io.berth.quota.Gang;
import io.berth.quota.Gang.Member;
import io.berth.quota.Gang.PodSet;
import io.berth.quota.Gang.Preemptibility;
import io.berth.quota.Gang.Running;
import io.berth.quota.GpuRequest;
import io.berth.quota.NodePool;
import io.berth.quota.OrgUnit.Department;
import io.berth.quota.OrgUnit.Project;
import io.berth.quota.Outcome;
import io.berth.quota.Situation;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.NodePools.Pool;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Gpus;
import io.berth.workloads.submit.PodRoles;
import io.berth.workloads.submit.PodTemplate;
import io.berth.workloads.submit.Priorities;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Shows the arbiter the workloads of the cluster, and asks it what to do.
///
/// Keeps an engine up to date with nodes and pods: only what changed since the last pass is told. A
/// pod that was admitted counts on the node it was planned for until it is bound. One thread owns
/// it.
final class Sharing {

  /// The node a pod was admitted for, and the numbers of the devices it shares there.
  static final String NODE_ANNOTATION = "berth.io/planned-node";

  static final String DEVICES_ANNOTATION = "berth.io/gpu-devices";

  private final State state;
  private final NodePools pools;
  private final Projects projects;
  private final Engine engine = new Engine(Arbiter.CONFIGURATION, 1);
  private final Arbiter arbiter = new Arbiter(engine);
  private final Map<String, Seen<Node>> nodes = new LinkedHashMap<>();
  private final Map<String, Seen<Pod>> pods = new HashMap<>();

  /// Pods by workload, as they were when the engine was told of them.
  private final Map<String, List<Tree>> podsOf = new HashMap<>();

  private record Seen<T>(Tree tree, T value) {}

  Sharing(State state, NodePools pools, Projects projects) {
    this.state = state;
    this.pools = pools;
    this.projects = projects;
  }

  Outcome decide(List<Tree> workloads) {
    lookAtNodes();
    lookAtPods();
    return arbiter.decide(situation(workloads));
  }

  // The cache hands out the same tree as long as the object is the same.
  @SuppressWarnings("ReferenceEquality")
  private void lookAtNodes() {
    var there = new HashSet<String>();
    for (var tree : state.table(Resource.NODES).all()) {
      var name = Projects.name(tree);
      there.add(name);
      var known = nodes.get(name);
      if (known == null || known.tree() != tree) {
        var node = NodeReader.read(tree);
        nodes.put(name, new Seen<>(tree, node));
        engine.putNode(node);
      }
    }
    nodes
        .keySet()
        .removeIf(name -> {
          if (!there.contains(name)) {
            engine.removeNode(name);
          }
          return !there.contains(name);
        });
  }

  @SuppressWarnings("ReferenceEquality")
  private void lookAtPods() {
    var there = new HashSet<String>();
    podsOf.clear();
    for (var tree : state.table(Resource.PODS).all()) {
      if (tree.at("metadata", "labels", State.WORKLOAD_ID_LABEL) instanceof String id) {
        podsOf.computeIfAbsent(id, _ -> new ArrayList<>()).add(tree);
      }
      var key = tree.textOrEmpty("metadata", "namespace") + "/" + Projects.name(tree);
      there.add(key);
      var known = pods.get(key);
      if (known == null || known.tree() != tree) {
        var pod = placed(tree, PodReader.read(tree));
        pods.put(key, new Seen<>(tree, pod));
        engine.removePod(pod.namespace(), pod.name());
        engine.putPod(pod);
      }
    }
    pods.entrySet()
        .removeIf(entry -> {
          var pod = entry.getValue().value();
          boolean gone = !there.contains(entry.getKey());
          if (gone) {
            engine.removePod(pod.namespace(), pod.name());
          }
          return gone;
        });
  }

  private static Pod placed(Tree tree, Pod pod) {
    var planned = tree.at("metadata", "annotations", NODE_ANNOTATION);
    boolean waits = pod.nodeName().isEmpty() && !Admission.isGated(tree);
    return waits && planned instanceof String node ? pod.withNodeName(node) : pod;
  }

  private Situation situation(List<Tree> workloads) {
    var live = pools.all().stream().filter(pool -> !pool.isBeingDeleted()).toList();
    var entitlements = new Entitlements(live);
    var departments = new LinkedHashMap<String, Department>();
    for (var unit : state.table(BerthKinds.DEPARTMENTS).all()) {
      var department = entitlements.department(unit);
      departments.put(department.id(), department);
    }
    var units = new ArrayList<Project>();
    for (var unit : state.table(BerthKinds.PROJECTS).all()) {
      var project = entitlements.project(unit);
      departments.computeIfAbsent(project.department(), Entitlements::missing);
      units.add(project);
    }
    var gangs = new ArrayList<Gang>();
    for (var workload : workloads) {
      projects
          .findByNamespace(workload.textOrEmpty("metadata", "namespace"))
          .filter(_ -> counts(workload))
          .ifPresent(project -> gangs.add(gang(workload, Projects.id(project))));
    }
    return new Situation(
        state.times().instant(),
        List.copyOf(departments.values()),
        units,
        live.stream().map(this::pool).toList(),
        nodes.values().stream().map(Seen::value).toList(),
        gangs,
        Map.of());
  }

  private NodePool pool(Pool pool) {
    var clauses = new ArrayList<Requirement>();
    for (var expression : pools.expressions(pool)) {
      clauses.add(
          new Requirement(
              expression.textOrEmpty("key"),
              expression.textOrEmpty("operator"),
              expression.list("values").stream().map(String::valueOf).toList()));
    }
    var scheduling = pool.object().treeOrEmpty("spec", "schedulingConfiguration");
    boolean spreads = scheduling.textOrEmpty("placementStrategy", "gpu").equals("spread");
    return new NodePool(
        pool.name(),
        clauses,
        spreads ? NodePool.Strategy.SPREAD : NodePool.Strategy.BINPACK,
        duration(scheduling.textOrEmpty("minGuaranteedRuntime")),
        NodePool.DEFAULT_PATIENCE,
        NodePool.DEFAULT_STALE_GRACE,
        null);
  }

  /// `5d8h40m`; what cannot be read is no time at all.
  static Duration duration(String text) {
    var total = Duration.ZERO;
    var matcher = java.util.regex.Pattern.compile("([0-9]{1,9})(ms|[smhdw])").matcher(text);
    while (matcher.find()) {
      long number = Long.parseLong(matcher.group(1));
      total =
          total.plus(
              switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                case "d" -> Duration.ofDays(number);
                default -> Duration.ofDays(7 * number);
              });
    }
    return total;
  }

  /// Workloads with pods on nodes, and those that are accepted, not stopped, and have all their
  /// pods.
  private boolean counts(Tree workload) {
    int there = 0;
    boolean started = false;
    for (var pod : pods(workload)) {
      boolean ending = pod.text("metadata", "deletionTimestamp") != null;
      there += ending || pod.textOrEmpty("status", "phase").equals("Failed") ? 0 : 1;
      started |= !podOf(pod).nodeName().isEmpty() && !Phases.isOver(pod);
    }
    boolean whole = there >= PodRoles.of(workload).podCount();
    return workload.tree("status", "placements") != null
        && (started || (whole && !isEnding(workload)));
  }

  private static boolean isEnding(Tree workload) {
    return workload.flag("spec", "suspend")
        || workload.text("metadata", "deletionTimestamp") != null;
  }

  private List<Tree> pods(Tree workload) {
    return podsOf.getOrDefault(workload.textOrEmpty("metadata", "uid"), List.of());
  }

  private Gang gang(Tree workload, String project) {
    var trees = new ArrayList<Tree>();
    for (var pod : pods(workload)) {
      // What a workload that ends has not started yet, it never will.
      boolean counts = !isEnding(workload) || !podOf(pod).nodeName().isEmpty();
      if (counts && !Phases.isOver(pod)) {
        trees.add(pod);
      }
    }
    var sets = new ArrayList<PodSet>();
    for (var role : PodRoles.of(workload).all()) {
      sets.add(set(role, trees));
    }
    var createdAt = Entitlements.createdAt(workload);
    return new Gang(
        workload.textOrEmpty("metadata", "uid"),
        workload.textOrEmpty("metadata", "namespace") + "/" + Projects.name(workload),
        project,
        Admission.pools(workload),
        Priorities.value(Priorities.of(workload)),
        Priorities.isPreemptible(workload)
            ? Preemptibility.PREEMPTIBLE
            : Preemptibility.NON_PREEMPTIBLE,
        createdAt,
        trees.stream().map(Entitlements::createdAt).max(Instant::compareTo).orElse(createdAt),
        sets,
        running(trees));
  }

  private PodSet set(PodRoles.Role role, List<Tree> trees) {
    var members = new ArrayList<Member>();
    for (var tree : trees) {
      if (role.name().equals(tree.at("metadata", "labels", PodTemplate.ROLE_LABEL))) {
        members.add(new Member(podOf(tree), devices(tree)));
      }
    }
    long least = role.name().equals("worker") ? role.spec().number(0, "minReplicas") : 0;
    int min = least > 0 ? (int) least : role.count();
    return new PodSet(role.name(), Math.min(min, members.size()), gpus(role.spec()), members);
  }

  private Pod podOf(Tree tree) {
    var key = tree.textOrEmpty("metadata", "namespace") + "/" + Projects.name(tree);
    var known = pods.get(key);
    return known == null ? placed(tree, PodReader.read(tree)) : known.value();
  }

  private static List<Integer> devices(Tree pod) {
    var numbers = new ArrayList<Integer>();
    if (!Admission.isGated(pod)
        && pod.at("metadata", "annotations", DEVICES_ANNOTATION) instanceof String text
        && !text.isEmpty()) {
      for (var number : text.split(",", -1)) {
        numbers.add(Integer.valueOf(number));
      }
    }
    return numbers;
  }

  private static GpuRequest gpus(Tree spec) {
    var gpus = Gpus.of(spec.treeOrEmpty("compute"));
    int devices = (int) gpus.devices();
    if (!gpus.shared()) {
      return new GpuRequest.Devices(devices);
    }
    if (!gpus.memory().isEmpty()) {
      return new GpuRequest.Memory(devices, Quantity.parse(gpus.memory()).value());
    }
    long micros = Math.round(gpus.portion() * GpuRequest.Portion.WHOLE);
    return micros == 0 ? GpuRequest.NONE : new GpuRequest.Portion(devices, micros);
  }

  /// Where a workload was admitted, and since when it has run.
  private static @Nullable Running running(List<Tree> trees) {
    String pool = null;
    Instant since = null;
    for (var tree : trees) {
      if (!Admission.isGated(tree)
          && tree.at("metadata", "annotations", Usage.POOL_LABEL) instanceof String chosen) {
        pool = chosen;
        var started = tree.textOrEmpty("status", "startTime");
        var at = started.isEmpty() ? Entitlements.createdAt(tree) : Instant.parse(started);
        since = since == null || at.isAfter(since) ? at : since;
      }
    }
    return pool == null || since == null ? null : new Running(pool, since, null);
  }
}
