package io.berth.bench;

import io.berth.api.Container;
import io.berth.api.Node;
import io.berth.api.NodeAffinity;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.codec.Json;
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
import io.berth.quota.Quota;
import io.berth.quota.Quota.Entitlement;
import io.berth.quota.Situation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// How long one pass of fair sharing takes: 500 nodes with 8 GPUs each, 10,000 gangs that wait, 100
/// projects in 10 departments. Expected: at most a second on two cores in every scenario.
///
/// Run with `bench/quota`.
public final class QuotaBenchmark {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int DEPARTMENTS = 10;
  private static final int PROJECTS = 100;

  private final int nodeCount;
  private final int gangCount;
  private final Random random = new Random(1);
  private final Engine engine = new Engine(Arbiter.CONFIGURATION, 1);
  private final List<Node> nodes = new ArrayList<>();
  private final List<Gang> gangs = new ArrayList<>();

  /// What the cluster is like when the gangs come.
  private enum Scenario {
    /// Nothing runs: the pass fills the cluster.
    EMPTY,
    /// Half of the projects hold everything: the others take back what they deserve.
    RECLAIM,
    /// Everybody holds what it deserves: the pass finds out that all must wait.
    FULL
  }

  private QuotaBenchmark(int nodeCount, int gangCount) {
    this.nodeCount = nodeCount;
    this.gangCount = gangCount;
  }

  /// `--nodes 500`, `--gangs 10000`, `--passes 10`, `--scenario RECLAIM` for one of them.
  public static void main(String[] arguments) {
    int nodes = 500;
    int gangs = 10_000;
    int passes = 10;
    var scenarios = Scenario.values();
    for (int i = 0; i < arguments.length; i += 2) {
      var value = arguments[i + 1];
      switch (arguments[i]) {
        case "--nodes" -> nodes = Integer.parseInt(value);
        case "--gangs" -> gangs = Integer.parseInt(value);
        case "--passes" -> passes = Integer.parseInt(value);
        case "--scenario" -> scenarios = new Scenario[] {Scenario.valueOf(value)};
        default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
      }
    }
    for (var scenario : scenarios) {
      System.out.println(Json.text(new QuotaBenchmark(nodes, gangs).run(scenario, passes)));
    }
  }

  private Tree run(Scenario scenario, int passes) {
    for (int i = 0; i < nodeCount; i++) {
      addNode("node-%04d".formatted(i));
    }
    if (scenario != Scenario.EMPTY) {
      occupy(scenario == Scenario.RECLAIM ? PROJECTS / 2 : PROJECTS);
    }
    for (int i = 0; i < gangCount; i++) {
      gangs.add(pending(i));
    }
    var situation = situation();
    var arbiter = new Arbiter(engine);
    var millis = new double[passes];
    var cpuMillis = new double[passes];
    Outcome outcome = null;
    for (int pass = 0; pass < passes; pass++) {
      long begin = System.nanoTime();
      long processor = THREADS.getCurrentThreadCpuTime();
      outcome = arbiter.decide(situation);
      cpuMillis[pass] = (THREADS.getCurrentThreadCpuTime() - processor) / 1e6;
      millis[pass] = (System.nanoTime() - begin) / 1e6;
    }
    return line(scenario, millis, cpuMillis, outcome == null ? arbiter.decide(situation) : outcome);
  }

  private Tree line(Scenario scenario, double[] millis, double[] cpuMillis, Outcome outcome) {
    boolean expected =
        switch (scenario) {
          case EMPTY -> !outcome.placements().isEmpty() && outcome.evictions().isEmpty();
          case RECLAIM -> !outcome.placements().isEmpty() && !outcome.evictions().isEmpty();
          case FULL -> outcome.waiting().size() == gangCount;
        };
    if (!expected) {
      throw new IllegalStateException(scenario + " must measure what it says");
    }
    double first = millis[0];
    double firstCpu = cpuMillis[0];
    Arrays.sort(millis);
    Arrays.sort(cpuMillis);
    return Tree.of(
        "scenario", scenario.name(),
        "nodes", nodeCount,
        "gangsWaiting", gangCount,
        "gangsPlaced", outcome.placements().size(),
        "gangsEvicted", outcome.evictions().size(),
        "outcome", Integer.toHexString(outcome.toString().hashCode()),
        "firstPassMillis", Math.round(first),
        "medianMillis", Math.round(millis[millis.length / 2]),
        "firstPassCpuMillis", Math.round(firstCpu),
        "medianCpuMillis", Math.round(cpuMillis[cpuMillis.length / 2]));
  }

  private void addNode(String name) {
    var node =
        new Node(
            name,
            Map.of("pool", "x", "nvidia.com/gpu.memory", "81920"),
            false,
            List.of(),
            Map.of(
                "cpu", Quantity.of(128),
                "memory", Quantity.parse("1Ti"),
                "pods", Quantity.of(110),
                "nvidia.com/gpu", Quantity.of(8)),
            List.of(),
            List.of());
    nodes.add(node);
    engine.put(node);
  }

  /// One-GPU gangs on every device, by turns of the first so many projects.
  private void occupy(int projects) {
    for (int i = 0; i < nodeCount * 8; i++) {
      var node = nodes.get(i / 8).name();
      var project = "p" + i % projects;
      var pod = pod(project, "old-" + i, spec(1, 1)).withNodeName(node);
      engine.put(pod);
      var running = new Running("x", NOW.minusSeconds(i), null);
      gangs.add(gang("old-" + i, project, List.of(pod), new GpuRequest.Devices(1), running));
    }
  }

  private Gang pending(int i) {
    var project = "p" + random.nextInt(PROJECTS);
    int kind = random.nextInt(10);
    int pods =
        switch (kind) {
          case 0 -> 4;
          case 1 -> 8;
          default -> 1;
        };
    GpuRequest gpu =
        kind == 9
            ? new GpuRequest.Portion(1, 250_000L * (1 + random.nextInt(3)))
            : new GpuRequest.Devices(1 << random.nextInt(4));
    int whole = gpu instanceof GpuRequest.Devices(var devices) ? devices : 0;
    var spec = spec(whole, 1 + random.nextInt(4));
    var members = new ArrayList<Pod>();
    for (int k = 0; k < pods; k++) {
      members.add(pod(project, "new-%d-%d".formatted(i, k), spec));
    }
    return gang("new-" + i, project, members, gpu, null);
  }

  private Gang gang(
      String id, String project, List<Pod> pods, GpuRequest gpu, @Nullable Running running) {
    var since = NOW.minusSeconds(random.nextInt(3000));
    return new Gang(
        id,
        project + "/" + id,
        project,
        List.of("x"),
        running == null ? 40 + 25 * random.nextInt(3) : 90,
        Preemptibility.PREEMPTIBLE,
        since,
        since,
        List.of(new PodSet("pods", pods.size(), gpu, pods.stream().map(Member::of).toList())),
        running);
  }

  private static Pod pod(String namespace, String name, PodSpec spec) {
    return new Pod(
        namespace, name, name, Map.of("workload", name), null, false, "", spec, PodStatus.NONE);
  }

  private static PodSpec spec(int gpus, int cpus) {
    var requests =
        Map.of(
            "cpu", Quantity.of(cpus),
            "memory", Quantity.parse("8Gi"),
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

  private Situation situation() {
    var departments = new ArrayList<Department>();
    var projects = new ArrayList<Project>();
    long gpus = nodeCount * 8L;
    for (int i = 0; i < DEPARTMENTS; i++) {
      departments.add(new Department("d" + i, "d" + i, NOW, quota(gpus / DEPARTMENTS)));
    }
    for (int i = 0; i < PROJECTS; i++) {
      var department = "d" + i % DEPARTMENTS;
      projects.add(new Project("p" + i, "p" + i, department, NOW, quota(gpus / PROJECTS)));
    }
    var pool = NodePool.of("x", "pool", "x");
    return new Situation(
        NOW, departments, projects, List.of(pool), nodes, gangs, Map.of(), List.of());
  }

  private static Map<String, Quota> quota(long gpus) {
    var gpu = new Entitlement(gpus * 1000, Entitlement.UNLIMITED, 2000);
    return Map.of("x", new Quota(gpu, Entitlement.OPEN, Entitlement.OPEN, Quota.DEFAULT_RANK));
  }
}
