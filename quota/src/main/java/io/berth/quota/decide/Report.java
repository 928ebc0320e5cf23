package io.berth.quota.decide;

import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import io.berth.quota.Outcome;
import io.berth.quota.Outcome.Assignment;
import io.berth.quota.Outcome.Eviction;
import io.berth.quota.Outcome.Placement;
import io.berth.quota.Outcome.Reason;
import io.berth.quota.Outcome.Refusal;
import io.berth.quota.Outcome.Standing;
import io.berth.quota.Outcome.Waiting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Puts into words what a pass has changed, and why it has not changed more.
final class Report {

  /// So many of those ahead are named.
  private static final int NAMED_AHEAD = 3;

  private final Set<String> projects;
  private final Map<String, Pool> pools;
  private final List<Job> jobs;
  private final Map<String, List<String>> leaving;
  private final Map<String, Set<Job>> lines;

  Report(
      Set<String> projects,
      Map<String, Pool> pools,
      List<Job> jobs,
      Map<String, List<String>> leaving,
      Map<String, Set<Job>> lines) {
    this.projects = projects;
    this.pools = pools;
    this.jobs = jobs;
    this.leaving = leaving;
    this.lines = lines;
  }

  Outcome outcome() {
    var evictions = new ArrayList<Eviction>();
    for (var job : jobs) {
      evict(job, evictions);
    }
    var placements = new ArrayList<Placement>();
    for (var job : jobs) {
      place(job, placements);
    }
    return new Outcome(placements, evictions, waiting(), standings());
  }

  private void evict(Job job, List<Eviction> evictions) {
    var pods = new ArrayList<String>();
    for (var slot : job.slots) {
      if (slot.startNode != null && slot.hasLeft()) {
        pods.add(slot.key());
        leaving.computeIfAbsent(slot.startNode, _ -> new ArrayList<>()).add(slot.key());
      }
    }
    if (pods.isEmpty()) {
      return;
    }
    // A gang may give way more than once in a pass; the last to profit is the one to name.
    var notice = job.notices.getLast();
    var beneficiary = notice.beneficiary();
    evictions.add(
        new Eviction(
            job.gang.id(),
            pods,
            notice.cause(),
            beneficiary == null ? null : beneficiary.gang.id(),
            notice.message()));
  }

  private void place(Job job, List<Placement> placements) {
    var pods = new ArrayList<Assignment>();
    var waitsFor = new TreeSet<String>();
    for (var slot : job.slots) {
      if (slot.node != null && slot.hasCome()) {
        pods.add(assignment(slot));
        waitsFor.addAll(leaving.getOrDefault(slot.node, List.of()));
      }
    }
    if (!pods.isEmpty() && job.pool != null) {
      placements.add(new Placement(job.gang.id(), job.pool.name(), pods, List.copyOf(waitsFor)));
    }
  }

  private static Assignment assignment(Slot slot) {
    return new Assignment(
        slot.pod.namespace(),
        slot.pod.name(),
        String.valueOf(slot.node),
        slot.devices,
        slot.amounts[Counted.GPU.index()]);
  }

  private List<Waiting> waiting() {
    var waiting = new ArrayList<Waiting>();
    var places = new HashMap<Job, Waiting>();
    for (var entry : lines.entrySet()) {
      var ahead = new ArrayList<String>();
      for (var job : entry.getValue()) {
        if (!job.isComplete()) {
          var place = new Waiting(job.gang.id(), ahead.size() + 1, first(ahead), List.of());
          places.merge(job, place, (a, b) -> a.position() <= b.position() ? a : b);
          ahead.add(job.gang.id());
        }
      }
    }
    for (var job : jobs) {
      if (!job.isComplete()) {
        var place = places.getOrDefault(job, new Waiting(job.gang.id(), 1, List.of(), List.of()));
        waiting.add(new Waiting(job.gang.id(), place.position(), place.ahead(), refusals(job)));
      }
    }
    return waiting;
  }

  private static List<String> first(List<String> ahead) {
    return ahead.subList(0, Math.min(NAMED_AHEAD, ahead.size()));
  }

  private List<Refusal> refusals(Job job) {
    var refusals = new ArrayList<Refusal>();
    for (var pool : job.pools()) {
      refusals.add(refusal(job, pool));
    }
    return refusals;
  }

  private Refusal refusal(Job job, String pool) {
    var said = job.refusals.get(pool);
    if (!pools.containsKey(pool)) {
      return Refusal.of(pool, Reason.UNKNOWN_POOL, "node pool %s does not exist".formatted(pool));
    } else if (!projects.contains(job.gang.project())) {
      var message = "project %s does not exist".formatted(job.gang.project());
      return Refusal.of(pool, Reason.UNKNOWN_PROJECT, message);
    } else if (job.missing > 0) {
      var message = "%d of the pods that must run together do not exist yet".formatted(job.missing);
      return Refusal.of(pool, Reason.INCOMPLETE, message);
    } else if (said != null) {
      return said;
    }
    return Refusal.of(pool, Reason.NO_ROOM, "the room it had went to workloads that come first");
  }

  private List<Standing> standings() {
    var standings = new ArrayList<Standing>();
    for (var pool : pools.values()) {
      for (var queue : pool.queues()) {
        standings.add(
            new Standing(
                queue.unit.id(),
                pool.name(),
                Queue.amounts(queue.fairShare),
                Queue.amounts(queue.allocated),
                Queue.amounts(queue.nonPreemptible),
                Queue.amounts(sum(queue))));
      }
    }
    return standings;
  }

  private static long[] sum(Queue queue) {
    var sum = queue.demand.clone();
    for (int r = 0; r < sum.length; r++) {
      sum[r] = Amounts.add(sum[r], queue.firmDemand[r]);
    }
    return sum;
  }
}
