package io.berth.quota.decide;

import io.berth.quota.Counted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Visits asks of one pool in the order of fairness: which department is next, which of its
/// projects, which gang of that.
///
/// After each visit the project and those above it are weighed anew; the visit says whether it
/// changed others too.
final class Sweep implements Turns.Scale<Ask> {

  private static final long[] NOTHING = new long[Counted.COUNT];

  /// One visit. Returns whether anybody else's books changed.
  @FunctionalInterface
  interface Visit {
    boolean ask(Ask ask, Queue queue, long[] amounts);
  }

  private final Pool pool;
  private final Turns<Ask> turns;

  Sweep(Pool pool, List<Ask> asks) {
    this.pool = pool;
    var byQueue = new LinkedHashMap<Queue, List<Ask>>();
    for (var ask : asks) {
      byQueue.computeIfAbsent(pool.queueOf(ask.job()), _ -> new ArrayList<>()).add(ask);
    }
    var leaves = new ArrayList<Turns.Leaf<Ask>>();
    byQueue.forEach((queue, own) -> {
      own.sort(Ask.ORDER);
      leaves.add(new Turns.Leaf<>(queue, own));
    });
    this.turns = new Turns<>(leaves, this, Claim.ORDER);
  }

  @Override
  public boolean isOpen(Ask ask) {
    return !ask.isPlaced();
  }

  @Override
  public Claim claim(Queue queue, Turns.Leaf<Ask> leaf, Ask ask) {
    for (var slot : ask.slots()) {
      slot.amounts = slot.amountsIn(pool);
    }
    return Claim.of(queue, ask.amounts(), NOTHING);
  }

  void run(Visit visit) {
    while (!turns.isEmpty()) {
      var ask = turns.peek();
      boolean others = visit.ask(ask, turns.leaf().queue, ask.amounts());
      turns.advance();
      if (others) {
        turns.weighAll();
      }
    }
  }
}
