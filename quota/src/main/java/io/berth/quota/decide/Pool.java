package io.berth.quota.decide;

import io.berth.api.Node;
import io.berth.api.PodResources;
import io.berth.api.PodSpec;
import io.berth.api.Quantity;
import io.berth.engine.Engine;
import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import io.berth.quota.GpuRequest;
import io.berth.quota.NodePool;
import io.berth.quota.NodePool.Strategy;
import io.berth.quota.OrgUnit;
import io.berth.quota.OrgUnit.Department;
import io.berth.quota.Situation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A node pool during a pass: what it has, and the books of everybody who shares it.
final class Pool {

  /// The node label with the memory of one device in MiB, as GPU feature discovery sets it.
  static final String DEVICE_MEMORY = "nvidia.com/gpu.memory";

  /// So many devices of a node are counted at most.
  private static final int MOST_DEVICES = 1 << 16;

  private static final long[] NOTHING = new long[Counted.COUNT];

  private static final Comparator<OrgUnit> BY_AGE =
      Comparator.comparing(OrgUnit::createdAt).thenComparing(OrgUnit::id);

  final NodePool config;
  final Templates templates;
  final long[] total = new long[Counted.COUNT];
  final FreeGpus gpus;
  final Domains domains = new Domains();

  /// Those that are in no other, the oldest first.
  final List<Queue> departments = new ArrayList<>();

  /// By project id, the oldest first.
  final Map<String, Queue> projects = new LinkedHashMap<>();

  /// At most so many thousandths of devices are in the books for what nobody uses: each part of a
  /// device is rounded up to whole ones. Changed by [Ground] alone.
  long rounded;

  private final Set<String> nodes = new HashSet<>();
  private int order;
  private final Map<String, long[]> offers = new HashMap<>();
  private long leastDeviceMemory = Long.MAX_VALUE;
  private long mostDeviceMemory;
  private final Map<PodSpec, long[]> requests = new HashMap<>();
  private @Nullable PodSpec lastSpec;
  private long[] lastRequests = {};

  Pool(NodePool config, Situation situation, Engine engine) {
    this.config = config;
    this.templates = new Templates(config, engine);
    var devices = new LinkedHashMap<String, Integer>();
    for (var node : situation.nodes()) {
      if (isMember(node)) {
        add(node, devices);
      }
    }
    this.gpus = new FreeGpus(devices);
    addQueues(situation);
  }

  private boolean isMember(Node node) {
    for (var clause : config.nodes()) {
      if (!clause.matches(node.labels().get(clause.key()))) {
        return false;
      }
    }
    return true;
  }

  /// Nodes closed to new pods belong to the pool, but there is nothing on them to be shared out.
  private void add(Node node, Map<String, Integer> devicesByNode) {
    nodes.add(node.name());
    domains.add(node);
    if (node.unschedulable()) {
      return;
    }
    var offer = node.allocatable();
    int devices = devices(node);
    devicesByNode.put(node.name(), devices);
    var offered = new long[Counted.COUNT];
    offered[Counted.GPU.index()] = Amounts.add(devices * 1000L, Slices.gpuMillis(offer));
    offered[Counted.CPU.index()] = offer.getOrDefault("cpu", Quantity.ZERO).milliValue();
    offered[Counted.MEMORY.index()] = offer.getOrDefault("memory", Quantity.ZERO).value();
    offers.put(node.name(), offered);
    for (int r = 0; r < total.length; r++) {
      total[r] = Amounts.add(total[r], offered[r]);
    }
    long memory = deviceMemory(node);
    if (devices > 0 && memory > 0) {
      leastDeviceMemory = Math.min(leastDeviceMemory, memory);
      mostDeviceMemory = Math.max(mostDeviceMemory, memory);
    }
  }

  // Whoever may write the status of a node may write any number there.
  private static int devices(Node node) {
    long devices = node.allocatable().getOrDefault(Templates.GPU, Quantity.ZERO).value();
    return Math.clamp(devices, 0, MOST_DEVICES);
  }

  /// The memory of one device of the node in bytes, or 0 if it is not known.
  static long deviceMemory(Node node) {
    var label = node.labels().getOrDefault(DEVICE_MEMORY, "");
    return label.matches("[1-9][0-9]{0,9}") ? Long.parseLong(label) << 20 : 0;
  }

  private void addQueues(Situation situation) {
    var units = new HashMap<String, Department>();
    situation.departments().forEach(department -> units.put(department.id(), department));
    var made = new HashMap<String, Queue>();
    for (var department : situation.departments().stream().sorted(BY_AGE).toList()) {
      addDepartment(department, units, made);
    }
    for (var project : situation.projects().stream().sorted(BY_AGE).toList()) {
      var department = made.get(project.department());
      if (department == null) {
        throw new IllegalArgumentException(
            "project %s is in department %s, which does not exist"
                .formatted(project.name(), project.department()));
      }
      projects.put(project.id(), queue(project, department));
    }
  }

  /// Parents come before their children. One whose parents do not end in a root is itself a root.
  private Queue addDepartment(
      Department department, Map<String, Department> units, Map<String, Queue> made) {
    var known = made.get(department.id());
    if (known != null) {
      return known;
    }
    var above = isInCircle(department, units) ? null : units.get(department.parent());
    var parent = above == null ? null : addDepartment(above, units, made);
    var queue = queue(department, parent);
    made.put(department.id(), queue);
    if (parent == null) {
      departments.add(queue);
    }
    return queue;
  }

  private static boolean isInCircle(Department department, Map<String, Department> units) {
    var seen = new HashSet<String>();
    for (var each = department; each != null; each = units.get(each.parent())) {
      if (!seen.add(each.id())) {
        return true;
      }
    }
    return false;
  }

  private Queue queue(OrgUnit unit, @Nullable Queue parent) {
    return new Queue(unit, parent, unit.quota(config.name()), order++, total);
  }

  /// All queues, each after the one above it.
  List<Queue> queues() {
    var all = new ArrayList<>(departments);
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).children);
    }
    return all;
  }

  String name() {
    return config.name();
  }

  boolean packs() {
    return config.strategy() == Strategy.BINPACK;
  }

  boolean has(String node) {
    return nodes.contains(node);
  }

  /// What there is on a node to be shared out: nothing on one that is closed or elsewhere.
  long[] offerOf(String node) {
    return offers.getOrDefault(node, NOTHING);
  }

  /// Whether the same memory is more of one device than of another.
  boolean mixesDevices() {
    return leastDeviceMemory < mostDeviceMemory;
  }

  Queue queueOf(Job job) {
    return Objects.requireNonNull(projects.get(job.gang.project()));
  }

  /// What a pod counts for in this pool. A part of a device asked for in bytes counts as if all
  /// devices were as small as the smallest here: the same wherever it lands.
  long[] amountsOf(Slot slot) {
    var amounts = requestsOf(slot.pod.spec()).clone();
    amounts[Counted.GPU.index()] +=
        switch (slot.set.gpu()) {
          case GpuRequest.Devices(var devices) -> devices * 1000L;
          case GpuRequest.Portion(var devices, var micros) -> Math.ceilDiv(devices * micros, 1000);
          case GpuRequest.Memory(var devices, var bytes) -> devices * portion(bytes);
        };
    return amounts;
  }

  private long portion(long bytes) {
    if (leastDeviceMemory == Long.MAX_VALUE) {
      return 1000;
    }
    return Math.ceilDiv(Math.multiplyExact(Math.min(bytes, 1L << 50), 1000L), leastDeviceMemory);
  }

  // Pods of a gang share their spec: mostly it is the very one that was asked about last.
  @SuppressWarnings("ReferenceEquality")
  private long[] requestsOf(PodSpec spec) {
    if (lastSpec != spec) {
      lastRequests = requests.computeIfAbsent(spec, Pool::addUp);
      lastSpec = spec;
    }
    return lastRequests;
  }

  private static long[] addUp(PodSpec spec) {
    var sum = PodResources.requests(spec);
    var amounts = new long[Counted.COUNT];
    amounts[Counted.GPU.index()] = Slices.gpuMillis(sum);
    amounts[Counted.CPU.index()] = sum.getOrDefault("cpu", Quantity.ZERO).milliValue();
    amounts[Counted.MEMORY.index()] = sum.getOrDefault("memory", Quantity.ZERO).value();
    return amounts;
  }
}
