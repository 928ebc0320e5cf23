package io.berth.quota.decide;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All that may be taken in a pool, in the two orders in which searches go through it.
///
/// Made when it is first needed, and brought up to date after each success.
final class Takeable {

  private static final Comparator<Unit> CHEAPEST_FIRST =
      Comparator.<Unit, Boolean>comparing(unit -> !unit.before.isEmpty())
          .thenComparing(VictimSearch.BY_SIZE)
          .thenComparingInt(unit -> unit.job.gang.priority())
          .thenComparing(unit -> unit.firstNode)
          .thenComparing(unit -> unit.job.gang.createdAt(), Comparator.reverseOrder())
          .thenComparing(unit -> unit.job.gang.id())
          .thenComparing(unit -> unit.slots.getFirst().key(), Comparator.reverseOrder());

  private final Pool pool;
  private final List<Job> jobs;
  private final Instant now;
  private final Map<Queue, Integer> lowest = new HashMap<>();
  private @Nullable List<Unit> units;
  private @Nullable List<Unit> byNode;

  Takeable(Pool pool, List<Job> jobs, Instant now) {
    this.pool = pool;
    this.jobs = jobs;
    this.now = now;
  }

  List<Unit> cheapestFirst() {
    if (units == null) {
      units = new ArrayList<>();
      jobs.forEach(job -> add(job, units));
      units.sort(CHEAPEST_FIRST);
    }
    return units;
  }

  List<Unit> byNode() {
    if (byNode == null) {
      byNode = new ArrayList<>(cheapestFirst());
      byNode.sort(VictimSearch.BY_NODE);
    }
    return byNode;
  }

  /// No higher than the lowest priority among what may be taken from a project.
  int lowestPriority(Queue queue) {
    cheapestFirst();
    return lowest.getOrDefault(queue, Integer.MAX_VALUE);
  }

  private void add(Job job, List<Unit> list) {
    if (pool.equals(job.pool) && !isProtected(job)) {
      for (var unit : Unit.of(job, hasEarnedItsTime(job))) {
        list.add(unit);
        lowest.merge(unit.queue, job.gang.priority(), Math::min);
      }
    }
  }

  /// After gangs gave way to another.
  void renew(List<Unit> taken, Job placed) {
    var changed = new LinkedHashSet<Job>();
    taken.forEach(unit -> changed.add(unit.job));
    changed.add(placed);
    var added = new ArrayList<Unit>();
    changed.forEach(job -> add(job, added));
    renew(cheapestFirst(), changed, added, CHEAPEST_FIRST);
    renew(byNode(), changed, added, VictimSearch.BY_NODE);
  }

  private static void renew(
      List<Unit> list, Set<Job> changed, List<Unit> added, Comparator<Unit> order) {
    changed.forEach(job -> job.listed = false);
    list.removeIf(unit -> !unit.job.listed);
    changed.forEach(job -> job.listed = true);
    for (var unit : added) {
      int at = Collections.binarySearch(list, unit, order);
      list.add(at < 0 ? -at - 1 : at, unit);
    }
  }

  private boolean isProtected(Job job) {
    var running = job.gang.running();
    if (job.kept) {
      return true;
    }
    return running != null && running.since().plus(pool.config.minRunTime()).isAfter(now);
  }

  /// Who has waited for very long may run beyond its share for as long; without this, a gang larger
  /// than its project's share would lose its room the moment it gets it.
  private boolean hasEarnedItsTime(Job job) {
    var running = job.gang.running();
    var since = running == null ? now : running.since();
    var patience = pool.config.patience();
    return !job.gang.waitingSince().plus(patience).isAfter(since)
        && since.plus(patience).isAfter(now);
  }
}
