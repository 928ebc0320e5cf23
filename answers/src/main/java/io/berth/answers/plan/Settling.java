package io.berth.answers.plan;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Preemption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Lets the pods that wait try, the most important first, until nobody gets any further.
///
/// Who evicts others takes their place at once; they are made anew and wait in their turn. As
/// evictions go from higher to lower priorities, it ends.
final class Settling {

  private final ImaginedCluster cluster;
  private final Map<Like, Integer> refused = new HashMap<>();
  private int changes;

  Settling(ImaginedCluster cluster) {
    this.cluster = cluster;
  }

  void settle() {
    changes++;
    boolean moved = true;
    while (moved) {
      moved = false;
      for (var pod : waiting()) {
        moved |= tries(pod);
      }
    }
  }

  private List<Resident> waiting() {
    var waiting = new ArrayList<Resident>();
    for (var pod : cluster.waiting()) {
      if (isTried(pod.pod())) {
        waiting.add(pod);
      }
    }
    // The order in which they came decides among equals: sorting keeps it.
    waiting.sort(Comparator.comparingInt((Resident pod) -> pod.pod().priority()).reversed());
    return waiting;
  }

  private boolean isTried(Pod pod) {
    return pod.spec().schedulingGates().isEmpty()
        && !pod.terminating()
        && cluster.survey().isServed(pod);
  }

  // Pods that no rule can tell apart are refused alike, as long as nothing happens.
  private boolean tries(Resident pod) {
    var like = Like.of(pod.pod());
    if (refused.getOrDefault(like, -1) == changes) {
      return false;
    }
    switch (cluster.decide(pod)) {
      case Decision.Placed(var node, _) -> {
        cluster.place(pod, node);
        changes++;
        return true;
      }
      case Decision.Unschedulable no when makesRoom(no.preemption()) -> {
        changes++;
        return true;
      }
      case Decision.Unschedulable _, Decision.Failed _ -> {
        refused.put(like, changes);
        return false;
      }
    }
  }

  private boolean makesRoom(@Nullable Preemption preemption) {
    if (preemption == null || preemption.node() == null) {
      return false;
    }
    var candidate = preemption.candidates().get(preemption.node());
    if (candidate == null || candidate.victims().isEmpty()) {
      return false;
    }
    var victims = new ArrayList<Resident>();
    for (var pod : cluster.podsOn(preemption.node())) {
      if (candidate.victims().contains(pod.key())) {
        victims.add(pod);
      }
    }
    victims.forEach(victim -> new Owners(cluster).evict(victim));
    return !victims.isEmpty();
  }
}
