package io.berth.answers.plan;

import io.berth.answers.plan.WaitingRoom.Line;
import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Preemption;
import java.util.ArrayList;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Lets the pods that wait try, the most important first, until nobody gets any further.
///
/// Who evicts others takes their place at once; they are made anew and wait in their turn. As
/// evictions go from higher to lower priorities, it ends. Pods that no rule can tell apart are
/// refused alike: of each line only the first is asked, and again when something happens that may
/// help.
final class Settling {

  private final ImaginedCluster cluster;

  Settling(ImaginedCluster cluster) {
    this.cluster = cluster;
  }

  void settle() {
    boolean again = true;
    while (again) {
      // A rule that nobody had asked about may tell pods apart that stood in one line.
      again = pass() || cluster.waiting().regroup();
    }
  }

  /// Whether anybody moved: then those that were refused before may try again.
  private boolean pass() {
    var lines = new PriorityQueue<>(Line.BY_HEAD);
    for (var line : cluster.waiting().lines()) {
      if (line.isDue(cluster.news()) && isTried(line.head().pod())) {
        lines.add(line);
      }
    }
    boolean moved = false;
    while (!lines.isEmpty()) {
      var line = lines.poll();
      if (tries(line.head())) {
        moved = true;
        if (!line.isEmpty()) {
          lines.add(line);
        }
      } else {
        line.refused(cluster.news());
      }
    }
    return moved;
  }

  private boolean isTried(Pod pod) {
    return pod.spec().schedulingGates().isEmpty() && cluster.survey().isServed(pod);
  }

  private boolean tries(Resident pod) {
    return switch (cluster.decide(pod)) {
      case Decision.Placed(var node, _) -> {
        cluster.place(pod, node);
        yield true;
      }
      case Decision.Unschedulable no -> makesRoom(no.preemption());
      case Decision.Failed _ -> false;
    };
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
