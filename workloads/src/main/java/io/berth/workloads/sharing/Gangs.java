package io.berth.workloads.sharing;

import io.berth.api.PodPhase;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.quota.Gang;
import io.berth.quota.Gang.Member;
import io.berth.quota.Gang.PodSet;
import io.berth.quota.Gang.Preemptibility;
import io.berth.quota.Gang.Running;
import io.berth.quota.GpuRequest;
import io.berth.quota.Topology;
import io.berth.workloads.org.Topologies;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Gpus;
import io.berth.workloads.submit.Placement;
import io.berth.workloads.submit.PodRoles;
import io.berth.workloads.submit.PodTemplate;
import io.berth.workloads.submit.Priorities;
import io.berth.workloads.submit.WorkloadKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Workloads as the arbiter sees them: gangs of pods.
final class Gangs {

  private final EngineFeed feed;
  private final State state;
  private final Topologies topologies;

  /// By workload id: since when a gang that runs has lacked pods it must have.
  private final Map<String, Instant> staleSince = new HashMap<>();

  Gangs(EngineFeed feed, State state) {
    this.feed = feed;
    this.state = state;
    this.topologies = new Topologies(state);
  }

  /// Forgets workloads that are no more.
  void retain(Set<String> ids) {
    staleSince.keySet().retainAll(ids);
  }

  /// Workloads with pods on nodes, and those that are accepted, not stopped, and have all their
  /// pods.
  boolean counts(Tree workload) {
    int there = 0;
    boolean started = false;
    for (var pod : feed.podsOf(workload)) {
      there += Pods.isEnding(pod) || PodPhase.of(pod).equals(PodPhase.FAILED) ? 0 : 1;
      started |= isSomewhere(pod) && !PodPhase.isTerminal(pod);
    }
    boolean whole = there >= PodRoles.of(workload).podCount();
    return workload.tree("status", "placements") != null
        && (started || (whole && !isEnding(workload)));
  }

  private boolean isSomewhere(Tree pod) {
    return !feed.pod(pod).nodeName().isEmpty();
  }

  private static boolean isEnding(Tree workload) {
    return workload.flag("spec", "suspend") || Pods.isEnding(workload);
  }

  Gang gang(Tree workload, String project) {
    var pods = new ArrayList<Tree>();
    for (var pod : feed.podsOf(workload)) {
      // What a workload that ends has not started yet, it never will.
      if ((!isEnding(workload) || isSomewhere(pod)) && !PodPhase.isTerminal(pod)) {
        pods.add(pod);
      }
    }
    var sets = new ArrayList<PodSet>();
    for (var role : PodRoles.of(workload).all()) {
      sets.add(set(role, pods));
    }
    var id = workload.textOrEmpty("metadata", "uid");
    var createdAt = Entitlements.createdAt(workload);
    return new Gang(
        id,
        Pods.key(workload),
        project,
        Placement.poolsOf(workload),
        Priorities.value(Priorities.of(workload)),
        preemptibility(workload),
        createdAt,
        pods.stream().map(Entitlements::createdAt).max(Instant::compareTo).orElse(createdAt),
        sets,
        running(id, pods, sets),
        topology(workload));
  }

  private @Nullable Topology topology(Tree workload) {
    boolean distributed = WorkloadKind.of(workload.textOrEmpty("kind")) == WorkloadKind.DISTRIBUTED;
    return topologies
        .find(workload.treeOrEmpty("spec"), distributed, Placement.poolsOf(workload))
        .map(wanted -> new Topology(wanted.levels(), wanted.required(), wanted.preferred()))
        .orElse(null);
  }

  private static Preemptibility preemptibility(Tree workload) {
    if (Priorities.isSemiPreemptible(workload)) {
      return Preemptibility.SEMI_PREEMPTIBLE;
    }
    return Priorities.isPreemptible(workload)
        ? Preemptibility.PREEMPTIBLE
        : Preemptibility.NON_PREEMPTIBLE;
  }

  private PodSet set(PodRoles.Role role, List<Tree> pods) {
    var members = new ArrayList<Member>();
    for (var pod : pods) {
      if (role.name().equals(pod.at("metadata", "labels", PodTemplate.ROLE_LABEL))) {
        members.add(new Member(feed.pod(pod), Pods.devices(pod)));
      }
    }
    int least = Math.min(role.least(), members.size());
    return new PodSet(role.name(), least, gpus(role.spec()), members);
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

  /// Where a workload was admitted, since when it has run, and since when it has been incomplete.
  private @Nullable Running running(String id, List<Tree> pods, List<PodSet> sets) {
    String pool = null;
    Instant since = null;
    for (var pod : pods) {
      var chosen = Pods.isGated(pod) ? null : Pods.annotation(pod, Usage.POOL_LABEL);
      if (chosen != null) {
        pool = chosen;
        var started = pod.textOrEmpty("status", "startTime");
        var at = started.isEmpty() ? Entitlements.createdAt(pod) : Instant.parse(started);
        since = since == null || at.isAfter(since) ? at : since;
      }
    }
    if (pool == null || since == null || isComplete(sets)) {
      staleSince.remove(id);
    } else {
      staleSince.putIfAbsent(id, state.times().instant());
    }
    return pool == null || since == null ? null : new Running(pool, since, staleSince.get(id));
  }

  private static boolean isComplete(List<PodSet> sets) {
    for (var set : sets) {
      long placed = set.pods().stream().filter(m -> m.isPlaced() && !m.pod().terminating()).count();
      if (placed < set.min()) {
        return false;
      }
    }
    return true;
  }

  /// What the pods of workloads that count are called.
  static Set<String> ids(List<Tree> workloads) {
    var ids = new HashSet<String>();
    workloads.forEach(workload -> ids.add(workload.textOrEmpty("metadata", "uid")));
    return ids;
  }
}
