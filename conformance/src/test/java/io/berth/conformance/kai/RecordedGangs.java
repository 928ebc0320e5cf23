package io.berth.conformance.kai;

import io.berth.api.Container;
import io.berth.api.LabelSelector;
import io.berth.api.NodeAffinity;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodAffinityTerm;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.api.Quantity;
import io.berth.api.Requirement;
import io.berth.api.Tree;
import io.berth.quota.Gang;
import io.berth.quota.Gang.Member;
import io.berth.quota.Gang.PodSet;
import io.berth.quota.Gang.Preemptibility;
import io.berth.quota.Gang.Running;
import io.berth.quota.GpuRequest;
import io.berth.quota.GpuRequest.Portion;
import io.berth.quota.Topology;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The jobs of a recording as gangs. Of two of the same priority the one listed first is older.
final class RecordedGangs {

  private static final String DEFAULT_SET = "default";

  /// From here on a job may not be evicted, unless it says otherwise.
  private static final long NON_PREEMPTIBLE = 100;

  private final Tree tree;

  /// By node, how much of each shared device is used, where the recording does not name devices.
  private final Map<String, List<BigDecimal>> used = new HashMap<>();

  private RecordedGangs(Recording recording) {
    this.tree = recording.tree();
  }

  static List<Gang> of(Recording recording) {
    return new RecordedGangs(recording).gangs();
  }

  /// A gang that waits, with pods of one device each.
  static Gang asking(String project, long devices) {
    var pods = new ArrayList<Object>();
    for (int i = 0; i < devices; i++) {
      pods.add(Tree.of("Id", project + "-" + i, "State", "Pending"));
    }
    var job =
        Tree.of("Name", project, "Queue", project, "GPUs", 1L, "Priority", 50L, "Tasks", pods);
    return of(new Recording(Tree.of("Jobs", List.of(job)))).getFirst();
  }

  private List<Gang> gangs() {
    var jobs = new ArrayList<>(tree.trees("Jobs"));
    jobs.sort(Comparator.comparingLong(job -> -job.number(0, "Priority")));
    var gangs = new ArrayList<Gang>();
    for (int i = 0; i < jobs.size(); i++) {
      long age = jobs.get(i).number(jobs.size() - i, "AgeMinutes");
      gangs.add(gang(jobs.get(i), Scene.START.minusSeconds(60 * age)));
    }
    return gangs;
  }

  private Gang gang(Tree job, Instant created) {
    var sets = sets(job);
    boolean placed = sets.stream().flatMap(set -> set.pods().stream()).anyMatch(Member::isPlaced);
    long stale = job.number(-1, "StaleSeconds");
    var running =
        new Running(
            Scene.POOL,
            Scene.START.minusSeconds(60),
            stale < 0 ? null : Scene.START.minusSeconds(stale));
    return new Gang(
        job.textOrEmpty("Name"),
        job.textOrEmpty("Name"),
        job.textOrEmpty("Queue"),
        List.of(Scene.POOL),
        Math.toIntExact(job.number(0, "Priority")),
        preemptibility(job),
        created,
        created,
        sets,
        placed ? running : null,
        topology(job.treeOrEmpty("Groups")));
  }

  private static Preemptibility preemptibility(Tree job) {
    return switch (job.textOrEmpty("Preemptibility")) {
      case "preemptible" -> Preemptibility.PREEMPTIBLE;
      case "non-preemptible" -> Preemptibility.NON_PREEMPTIBLE;
      default ->
          job.number(0, "Priority") >= NON_PREEMPTIBLE
              ? Preemptibility.NON_PREEMPTIBLE
              : Preemptibility.PREEMPTIBLE;
    };
  }

  private @Nullable Topology topology(Tree group) {
    var constraint = group.tree("Topology");
    if (constraint == null) {
      return null;
    }
    var levels = tree.treeOrEmpty("Topologies").list(constraint.textOrEmpty("Topology"));
    return new Topology(
        levels.stream().map(String::valueOf).toList(),
        level(constraint, "Required"),
        level(constraint, "Preferred"));
  }

  private static @Nullable String level(Tree constraint, String field) {
    var level = constraint.textOrEmpty(field);
    return level.isEmpty() ? null : level;
  }

  /// Pods of one set that ask for different devices are sets of their own, where all must run.
  private List<PodSet> sets(Tree job) {
    var minima = new LinkedHashMap<String, Long>();
    job.treeOrEmpty("Groups")
        .trees("PodSets")
        .forEach(set -> minima.put(set.textOrEmpty("Name"), set.number(0, "Min")));
    var members = new LinkedHashMap<String, Map<GpuRequest, List<Member>>>();
    var pods = new ArrayList<>(job.trees("Tasks"));
    pods.sort(Comparator.comparingLong(pod -> -pod.number(0, "Priority")));
    for (var pod : pods) {
      if (!pod.textOrEmpty("State").equals("Failed")) {
        var set = pod.has("SubGroup") ? pod.textOrEmpty("SubGroup") : DEFAULT_SET;
        members
            .computeIfAbsent(set, _ -> new LinkedHashMap<>())
            .computeIfAbsent(gpu(job, pod), _ -> new ArrayList<>())
            .add(member(job, pod));
      }
    }
    var sets = new ArrayList<PodSet>();
    members.forEach((name, byGpu) ->
        byGpu.forEach((gpu, list) -> {
          long least = minima.getOrDefault(name, (long) pods.size());
          boolean all = byGpu.size() > 1;
          sets.add(new PodSet(name, all ? list.size() : Math.toIntExact(least), gpu, list));
        }));
    minima.forEach((name, least) -> {
      if (!members.containsKey(name)) {
        sets.add(new PodSet(name, Math.toIntExact(least), GpuRequest.NONE, List.of()));
      }
    });
    return sets;
  }

  private static GpuRequest gpu(Tree job, Tree pod) {
    var asked =
        new BigDecimal(
            String.valueOf(pod.has("RequiredGPUs") ? pod.get("RequiredGPUs") : job.get("GPUs")));
    long mebibytes = job.number(0, "GpuMemory");
    if (mebibytes > 0) {
      return new GpuRequest.Memory(1, mebibytes << 20);
    }
    return asked.stripTrailingZeros().scale() > 0
        ? new Portion(1, asked.movePointRight(6).longValueExact())
        : new GpuRequest.Devices(asked.intValueExact());
  }

  private Member member(Tree job, Tree tree) {
    var state = tree.textOrEmpty("State");
    var node = state.equals("Running") || state.equals("Releasing") ? tree.textOrEmpty("Node") : "";
    var name = tree.textOrEmpty("Id");
    var gpu = gpu(job, tree);
    var labels = new HashMap<>(tree.texts("PodAffinityLabels"));
    labels.put("job-name", name);
    var pod =
        new Pod(
            Scene.NAMESPACE,
            name,
            name,
            labels,
            null,
            state.equals("Releasing"),
            node,
            spec(job, tree, gpu),
            PodStatus.NONE);
    boolean shares = !node.isEmpty() && !(gpu instanceof GpuRequest.Devices);
    return new Member(pod, shares ? devices(job, tree) : List.of());
  }

  private List<Integer> devices(Tree job, Tree pod) {
    var groups = pod.list("GPUGroups");
    if (!groups.isEmpty()) {
      return groups.stream().map(group -> Integer.valueOf(String.valueOf(group))).toList();
    }
    long mebibytes = job.number(0, "GpuMemory");
    var part =
        mebibytes > 0
            ? BigDecimal.valueOf(mebibytes, 2)
            : new BigDecimal(String.valueOf(job.get("GPUs")));
    var devices = used.computeIfAbsent(pod.textOrEmpty("Node"), _ -> new ArrayList<>());
    for (int i = 0; i < devices.size(); i++) {
      if (devices.get(i).add(part).compareTo(BigDecimal.ONE) <= 0) {
        devices.set(i, devices.get(i).add(part));
        return List.of(i);
      }
    }
    devices.add(part);
    return List.of(devices.size() - 1);
  }

  private static PodSpec spec(Tree job, Tree pod, GpuRequest gpu) {
    var requests = new HashMap<String, Quantity>();
    if (!job.flag("BestEffort")) {
      requests.put("cpu", RecordedNodes.quantity(job, "CPUs", "1"));
      requests.put("memory", RecordedNodes.quantity(job, "Memory", "1G"));
    }
    var slices = pod.treeOrEmpty("Mig");
    slices.names().forEach(each -> requests.put(each, Quantity.of(slices.number(0, each))));
    if (gpu instanceof GpuRequest.Devices(var devices) && devices > 0) {
      requests.put("nvidia.com/gpu", Quantity.of(devices));
    }
    return new PodSpec(
        List.of(),
        List.of(new Container("main", "image", Map.copyOf(requests), List.of(), false, List.of())),
        Map.of(),
        null,
        Map.of(),
        nodeAffinity(pod),
        podAffinity(pod, "AffinityKey"),
        podAffinity(pod, "AntiAffinityKey"),
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

  private static NodeAffinity nodeAffinity(Tree pod) {
    var names = pod.list("NodeAffinity").stream().map(String::valueOf).toList();
    if (names.isEmpty()) {
      return NodeAffinity.NONE;
    }
    var clause = new Requirement(RecordedNodes.NAME_LABEL, "In", names);
    return new NodeAffinity(List.of(new NodeSelectorTerm(List.of(clause), List.of())), List.of());
  }

  private static PodAffinity podAffinity(Tree pod, String field) {
    var key = pod.textOrEmpty(field);
    if (key.isEmpty()) {
      return PodAffinity.NONE;
    }
    var selector = new LabelSelector(pod.texts("PodAffinityLabels"), List.of());
    var term = new PodAffinityTerm(selector, List.of(Scene.NAMESPACE), null, key);
    return new PodAffinity(List.of(term), List.of());
  }
}
