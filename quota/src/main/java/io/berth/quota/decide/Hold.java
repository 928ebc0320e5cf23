package io.berth.quota.decide;

import io.berth.quota.Outcome.Reason;
import io.berth.quota.Outcome.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps a gang that has waited for very long from being overtaken for ever.
///
/// While it waits for room, nobody in the pool goes beyond what it deserves and nobody in its own
/// project starts; while it waits for a limit, nobody under that limit or quota does (`reason`). So
/// what ends makes room for it, and for nobody else.
record Hold(Job holder, Queue unit, @Nullable Reason reason) {

  /// So many of the longest waiting are looked at; those that could never run hold nobody up.
  private static final int LOOKED_AT = 3;

  /// Places the longest waiting out of turn where there is room, and holds for the first where not.
  static @Nullable Hold findFor(
      Pool pool, List<Ask> asks, List<Job> jobs, Ground ground, Instant now) {
    var patient = new ArrayList<Ask>();
    for (var ask : asks) {
      var since = ask.job().gang.waitingSince();
      if (!ask.extra() && !since.plus(pool.config.patience()).isAfter(now)) {
        patient.add(ask);
      }
    }
    patient.sort(
        Comparator.<Ask, Instant>comparing(ask -> ask.job().gang.waitingSince())
            .thenComparing(ask -> ask.job().gang.id()));
    for (var ask : patient.subList(0, Math.min(LOOKED_AT, patient.size()))) {
      for (var slot : ask.slots()) {
        slot.amounts = slot.amountsIn(pool);
      }
      var queue = pool.queueOf(ask.job());
      var amounts = ask.amounts();
      var refusal = Gate.refusal(pool, queue, ask.firm(), amounts);
      boolean placed = refusal == null && ground.placeAll(ask.slots(), pool);
      boolean possible = Gate.couldEverPass(queue, ask.firm(), amounts);
      if (!placed && possible && fitsAlone(ask, pool, jobs, ground)) {
        return of(ask, queue, refusal);
      }
    }
    return null;
  }

  private static Hold of(Ask ask, Queue queue, @Nullable Refusal refusal) {
    if (refusal == null) {
      return new Hold(ask.job(), queue, null);
    }
    var unit = queue;
    while (unit.parent != null && !unit.unit.id().equals(refusal.unit())) {
      unit = unit.parent;
    }
    return new Hold(ask.job(), unit, refusal.reason());
  }

  private static boolean fitsAlone(Ask ask, Pool pool, List<Job> jobs, Ground ground) {
    int before = ground.checkpoint();
    for (var job : jobs) {
      if (pool.equals(job.pool)) {
        job.slots.stream().filter(slot -> slot.node != null).forEach(ground::remove);
      }
    }
    boolean fits = ground.placeAll(ask.slots(), pool);
    ground.rollback(before);
    return fits;
  }

  boolean stops(Ask ask, Queue queue, long[] amounts) {
    if (ask.job().equals(holder)) {
      return false;
    }
    boolean inUnit = unit.isAbove(queue);
    return reason == null
        ? inUnit || !Gate.isWithinDeserved(queue, amounts)
        : inUnit && (ask.firm() || reason == Reason.OVER_LIMIT);
  }
}
