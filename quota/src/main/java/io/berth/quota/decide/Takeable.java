package io.berth.quota.decide;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All that may be taken in a pool, by project, what goes first at the front.
///
/// Made when it is first needed, and brought up to date after each success.
final class Takeable {

  private final Pool pool;
  private final List<Job> jobs;
  private final Instant now;
  private @Nullable Map<Queue, Holding> byQueue;

  Takeable(Pool pool, List<Job> jobs, Instant now) {
    this.pool = pool;
    this.jobs = jobs;
    this.now = now;
  }

  Holding of(Queue queue) {
    return byQueue().computeIfAbsent(queue, Holding::new);
  }

  Collection<Holding> holdings() {
    return byQueue().values();
  }

  private Map<Queue, Holding> byQueue() {
    if (byQueue == null) {
      byQueue = new HashMap<>();
      for (var job : jobs) {
        add(job, byQueue);
      }
      byQueue.values().forEach(Holding::sort);
    }
    return byQueue;
  }

  private void add(Job job, Map<Queue, Holding> holdings) {
    if (pool.equals(job.pool) && !isProtected(job)) {
      var units = Unit.of(job, hasEarnedItsTime(job));
      if (!units.isEmpty()) {
        holdings.computeIfAbsent(job.queue(), Holding::new).units.addAll(units);
      }
    }
  }

  /// After gangs gave way to another.
  void renew(List<Unit> taken, Job placed) {
    var changed = new LinkedHashSet<Job>();
    taken.forEach(unit -> changed.add(unit.job));
    changed.add(placed);
    var holdings = new LinkedHashSet<Holding>();
    changed.forEach(job -> holdings.add(of(pool.queueOf(job))));
    holdings.forEach(each -> each.units.removeIf(unit -> changed.contains(unit.job)));
    changed.forEach(job -> add(job, byQueue()));
    holdings.forEach(Holding::sort);
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
