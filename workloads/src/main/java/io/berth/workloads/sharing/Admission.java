package io.berth.workloads.sharing;

import io.berth.api.Tree;
import io.berth.quota.Outcome.Placement;
import io.berth.quota.Outcome.Waiting;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.state.State;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Does what fair sharing decides: workloads whose turn it is start, pods that make way are
/// deleted, and workloads that wait are told why. One thread makes the passes.
public final class Admission {

  private final State state;
  private final PastUse pastUse;
  private final Sharing sharing;
  private final Reservations reservations;
  private final Starts starts;
  private final Evictions evictions;
  private final Reasons reasons;
  private final Suggestions suggestions;

  /// What the last pass said of those that wait, by workload id.
  private volatile Map<String, Waiting> waiting = Map.of();

  public Admission(State state, NodePools pools, Projects projects) {
    this.state = state;
    this.pastUse = new PastUse(state, pools);
    this.sharing = new Sharing(state, pools, projects, pastUse);
    this.reservations = new Reservations(state);
    this.starts = new Starts(state, pools, reservations);
    var notices = new Notices(state);
    this.evictions = new Evictions(state, notices);
    this.reasons = new Reasons(state, projects, notices);
    this.suggestions = new Suggestions(state, projects);
  }

  /// One pass. Returns when time alone may call for the next, or `null`.
  public @Nullable Instant pass() {
    reservations.release();
    reservations.restore();
    pastUse.look();
    var workloads = new LinkedHashMap<String, Tree>();
    for (var workload : state.workloads()) {
      evictions.withdraw(workload);
      workloads.put(workload.textOrEmpty("metadata", "uid"), workload);
    }
    if (workloads.values().stream().noneMatch(this::isWaiting)) {
      waiting = Map.of();
      return null;
    }
    var answer = sharing.decide(List.copyOf(workloads.values()));
    var outcome = answer.outcome();
    for (var eviction : outcome.evictions()) {
      evictions.evict(find(workloads, eviction.gang()), eviction);
    }
    for (var placement : outcome.placements()) {
      place(find(workloads, placement.gang()), placement);
    }
    var told = new LinkedHashMap<String, Waiting>();
    for (var gang : outcome.waiting()) {
      if (isWaiting(find(workloads, gang.gang()))) {
        told.put(gang.gang(), gang);
      }
    }
    // Whoever reads a reason in the status finds the rest here.
    waiting = Map.copyOf(told);
    told.forEach((id, gang) -> reasons.waits(find(workloads, id), gang));
    return answer.look();
  }

  /// What the last pass said of a workload that waits. Any thread may ask.
  public Optional<Waiting> findWaiting(String workloadId) {
    return Optional.ofNullable(waiting.get(workloadId));
  }

  /// What would let a workload start that waits, in words; each was tried. Any thread may ask.
  public List<String> suggestions(String workloadId) {
    return sharing.advise(state.workloads(), workloadId).stream().map(suggestions::text).toList();
  }

  private static Tree find(Map<String, Tree> workloads, String id) {
    return Objects.requireNonNull(workloads.get(id));
  }

  private boolean isWaiting(Tree workload) {
    return state.podsOf(workload).stream().anyMatch(Pods::isGated);
  }

  /// Lets the pods go to their nodes, unless others have to leave these first.
  private void place(Tree workload, Placement placement) {
    if (placement.waitsFor().isEmpty()) {
      starts.start(workload, placement);
      reasons.starts(workload, placement.pool());
    } else {
      reasons.startsAfter(workload, placement.waitsFor());
    }
  }
}
