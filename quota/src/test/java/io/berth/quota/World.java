package io.berth.quota;

import io.berth.api.Container;
import io.berth.api.Node;
import io.berth.api.NodeAffinity;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.api.Quantity;
import io.berth.engine.Engine;
import io.berth.quota.Gang.Member;
import io.berth.quota.Gang.PodSet;
import io.berth.quota.Gang.Preemptibility;
import io.berth.quota.Gang.Running;
import io.berth.quota.OrgUnit.Department;
import io.berth.quota.OrgUnit.Project;
import io.berth.quota.Quota.Entitlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A cluster in which whatever an [Outcome] says happens at once.
final class World {

  static final String POOL_LABEL = "pool";
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  Instant now = START;
  final Engine engine = new Engine(Arbiter.CONFIGURATION, 1);
  final Arbiter arbiter = new Arbiter(engine);
  final List<Department> departments = new ArrayList<>();
  final List<Project> projects = new ArrayList<>();
  final List<NodePool> pools = new ArrayList<>();
  final List<Node> nodes = new ArrayList<>();
  final Map<String, Gang> gangs = new LinkedHashMap<>();
  final Map<String, Map<String, Amounts>> usage = new LinkedHashMap<>();
  final List<PodDisruptionBudget> budgets = new ArrayList<>();
  private int created;
  private List<Outcome.Placement> promised = List.of();

  World pool(String name, int nodeCount, int gpus) {
    pools.add(NodePool.of(name, POOL_LABEL, name));
    for (int i = 0; i < nodeCount; i++) {
      node("%s-%02d".formatted(name, i), name, gpus, 40_960);
    }
    return this;
  }

  void node(String name, String pool, int gpus, long deviceMebibytes) {
    node(name, gpus, Map.of(POOL_LABEL, pool, "nvidia.com/gpu.memory", "" + deviceMebibytes));
  }

  void node(String name, int gpus, Map<String, String> labels) {
    var node =
        new Node(
            name,
            labels,
            false,
            List.of(),
            Map.of(
                "cpu", Quantity.of(64),
                "memory", Quantity.parse("512Gi"),
                "pods", Quantity.of(110),
                "nvidia.com/gpu", Quantity.of(gpus)),
            List.of(),
            List.of());
    nodes.add(node);
    engine.put(node);
  }

  World department(String id, Quota quota) {
    departments.add(new Department(id, id, START.plusSeconds(created++), everywhere(quota)));
    return this;
  }

  World project(String id, String department, Quota quota) {
    projects.add(new Project(id, id, department, START.plusSeconds(created++), everywhere(quota)));
    return this;
  }

  private Map<String, Quota> everywhere(Quota quota) {
    var quotas = new LinkedHashMap<String, Quota>();
    pools.forEach(pool -> quotas.put(pool.name(), quota));
    return quotas;
  }

  static Quota gpus(long deserved, long weight) {
    return gpus(deserved, weight, -1);
  }

  static Quota gpus(long deserved, long weight, long limit) {
    long most = limit < 0 ? Entitlement.UNLIMITED : limit * 1000;
    return new Quota(
        new Entitlement(deserved * 1000, most, weight * 1000),
        Entitlement.OPEN,
        Entitlement.OPEN,
        Quota.DEFAULT_RANK);
  }

  /// A new gang of equal pods with whole devices.
  Gang gang(String id, String project, int pods, int gpus) {
    return gang(id, project, pods, pods, new GpuRequest.Devices(gpus));
  }

  Gang gang(String id, String project, int pods, int min, GpuRequest gpu) {
    var members = new ArrayList<Member>();
    var spec = spec(gpu instanceof GpuRequest.Devices(var whole) ? whole : 0);
    for (int i = 0; i < pods; i++) {
      members.add(Member.of(pod(project, id + "-" + i, spec)));
    }
    var gang =
        new Gang(
            id,
            project + "/" + id,
            project,
            pools.stream().map(NodePool::name).toList(),
            50,
            Preemptibility.PREEMPTIBLE,
            now.plusNanos(created),
            now.plusNanos(created++),
            List.of(new PodSet("workers", min, gpu, members)),
            null);
    gangs.put(id, gang);
    return gang;
  }

  Gang priority(Gang gang, int priority, Preemptibility preemptibility) {
    return put(
        new Gang(
            gang.id(),
            gang.name(),
            gang.project(),
            gang.pools(),
            priority,
            preemptibility,
            gang.createdAt(),
            gang.waitingSince(),
            gang.sets(),
            gang.running(),
            gang.topology()));
  }

  Gang in(Gang gang, String... pools) {
    return put(
        new Gang(
            gang.id(),
            gang.name(),
            gang.project(),
            List.of(pools),
            gang.priority(),
            gang.preemptibility(),
            gang.createdAt(),
            gang.waitingSince(),
            gang.sets(),
            gang.running(),
            gang.topology()));
  }

  Gang put(Gang gang) {
    gangs.put(gang.id(), gang);
    return gang;
  }

  static Pod pod(String namespace, String name, PodSpec spec) {
    return new Pod(
        namespace, name, name, Map.of("workload", name), null, false, "", spec, PodStatus.NONE);
  }

  static PodSpec spec(int gpus) {
    var requests =
        Map.of(
            "cpu", Quantity.of(1),
            "memory", Quantity.parse("1Gi"),
            "nvidia.com/gpu", Quantity.of(gpus));
    return new PodSpec(
        List.of(),
        List.of(new Container("main", "image", requests, List.of(), false, List.of())),
        Map.of(),
        null,
        Map.of(),
        NodeAffinity.NONE,
        PodAffinity.NONE,
        PodAffinity.NONE,
        List.of(),
        List.of(),
        0,
        false,
        PodSpec.DEFAULT_SCHEDULER,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  Situation situation() {
    return new Situation(
        now, departments, projects, pools, nodes, List.copyOf(gangs.values()), usage, budgets);
  }

  /// One pass, and what it decided has happened.
  Outcome pass() {
    var outcome = arbiter.decide(situation());
    apply(outcome);
    now = now.plus(Duration.ofMinutes(1));
    return outcome;
  }

  /// One pass of which happened what can at once: who needs others to be gone starts in a later
  /// one.
  Outcome step() {
    var outcome = arbiter.decide(situation().withPromised(promised));
    promised = outcome.promised();
    apply(
        new Outcome(
            outcome.placements().stream().filter(each -> each.waitsFor().isEmpty()).toList(),
            outcome.evictions(),
            outcome.waiting(),
            outcome.standings()));
    return outcome;
  }

  void apply(Outcome outcome) {
    for (var eviction : outcome.evictions()) {
      eviction.pods().forEach(pod -> move(eviction.gang(), pod, "", List.of(), null));
    }
    for (var placement : outcome.placements()) {
      for (var pod : placement.pods()) {
        move(
            placement.gang(),
            pod.namespace() + "/" + pod.pod(),
            pod.node(),
            pod.devices(),
            placement.pool());
      }
    }
  }

  private void move(
      String id, String key, String node, List<Integer> devices, @Nullable String pool) {
    var gang = find(id);
    var sets = new ArrayList<PodSet>();
    boolean anywhere = false;
    for (var set : gang.sets()) {
      var members = new ArrayList<Member>();
      for (var member : set.pods()) {
        boolean moves = member.pod().key().equals(key);
        members.add(moves ? new Member(member.pod().withNodeName(node), devices) : member);
        if (moves) {
          tell(members.getLast().pod());
        }
        anywhere |= members.getLast().isPlaced();
      }
      sets.add(new PodSet(set.name(), set.min(), set.gpu(), members));
    }
    var running = gang.running();
    if (!anywhere) {
      running = null;
    } else if (running == null && pool != null) {
      running = new Running(pool, now, null);
    }
    put(
        new Gang(
            gang.id(),
            gang.name(),
            gang.project(),
            gang.pools(),
            gang.priority(),
            gang.preemptibility(),
            gang.createdAt(),
            anywhere ? gang.waitingSince() : now,
            sets,
            running,
            gang.topology()));
  }

  private void tell(Pod pod) {
    if (pod.nodeName().isEmpty()) {
      engine.remove(pod.reference());
    } else {
      engine.put(pod);
    }
  }

  /// The gang has done its work.
  void finish(String id) {
    for (var set : find(id).sets()) {
      set.pods().forEach(m -> engine.remove(m.pod().reference()));
    }
    gangs.remove(id);
  }

  Gang find(String id) {
    return Objects.requireNonNull(gangs.get(id));
  }

  List<Member> placed(String id) {
    return find(id).sets().stream()
        .flatMap(set -> set.pods().stream())
        .filter(Member::isPlaced)
        .toList();
  }

  boolean runs(String id) {
    var gang = gangs.get(id);
    return gang != null && gang.running() != null;
  }

  /// The ids of the gangs that run, as they were created.
  List<String> running() {
    return gangs.keySet().stream().filter(this::runs).toList();
  }
}
