package io.berth.quota.decide;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Places an ask once victims are gone, and, when gangs are moved, the victims after it.
final class Settle implements VictimSearch.Trial {

  private final Ground ground;
  private final Pool pool;
  final Ask ask;
  private final Queue queue;
  final long[] asked;
  private final Rule rule;
  private final boolean moving;
  private Set<String> nodes = Set.of();

  /// Who may be taken: ever, and at this moment.
  record Rule(Predicate<Unit> ever, Predicate<Unit> now) {
    static final Rule ALL = new Rule(_ -> true, _ -> true);
  }

  Settle(Ground ground, Pool pool, Ask ask, Queue queue, long[] asked, Rule rule, boolean moving) {
    this.ground = ground;
    this.pool = pool;
    this.ask = ask;
    this.queue = queue;
    this.asked = asked;
    this.rule = rule;
    this.moving = moving;
  }

  @Override
  public boolean isCandidate(Unit unit) {
    return unit.job != ask.job() && rule.ever.test(unit);
  }

  @Override
  public boolean mayTake(Unit unit) {
    return unit.job != ask.job() && rule.now.test(unit) && ground.budgets.allow(unit);
  }

  @Override
  public boolean settle(List<Unit> taken) {
    int before = ground.checkpoint();
    if (Gate.passes(queue, ask.firm(), asked) && ground.placeAll(ask.slots(), pool)) {
      nodes = new HashSet<>();
      ask.slots().forEach(slot -> nodes.add(String.valueOf(slot.node)));
      if (!moving || moveAll(taken)) {
        return true;
      }
      ground.rollback(before);
    }
    return false;
  }

  private boolean moveAll(List<Unit> taken) {
    for (var unit : taken.reversed()) {
      if (!ground.placeAll(unit.slots, pool)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Headroom headroom() {
    return new Headroom(ask.slots(), pool);
  }

  @Override
  public Set<String> nodes() {
    return nodes;
  }
}
