package io.berth.quota.decide;

import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import io.berth.quota.Outcome.Cause;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;

/// Makes room for an ask that found none: by moving gangs together, by taking back from projects
/// beyond their share, or from gangs of less priority in its own project; in this order.
final class RoomMaker {

  /// So many sets of victims are tried for one ask, node by node, if some are to be lost.
  static final int MOST_TRIALS = 512;

  final Ground ground;
  final Pool pool;
  final Takeable takeable;
  private final long[] slack;
  private final Consolidation consolidation = new Consolidation(this);
  private final Reclaim reclaim = new Reclaim(this);
  private final Preemption preemption = new Preemption(this);
  private boolean madeRoom;

  RoomMaker(Ground ground, Pool pool, List<Job> jobs, Instant now) {
    this.ground = ground;
    this.pool = pool;
    this.takeable = new Takeable(pool, jobs, now);
    this.slack = Slack.of(pool, jobs);
  }

  /// Returns whether the ask is placed now; if not, everything is as it was.
  boolean makeRoom(Ask ask, Queue queue, long[] asked) {
    return fitsByNow(ask, queue, asked)
        || consolidation.makeRoom(ask, queue, asked)
        || reclaim.makeRoom(ask, queue, asked)
        || preemption.makeRoom(ask, queue, asked);
  }

  /// What made way for another may have left more room than that one needed.
  private boolean fitsByNow(Ask ask, Queue queue, long[] asked) {
    return madeRoom
        && Gate.passes(queue, ask.firm(), asked)
        && ground.headroom(ask.slots(), pool).isEnough()
        && ground.placeAll(ask.slots(), pool);
  }

  /// Takes what helps, and has what is lost noted; or changes nothing.
  boolean take(Trial trial, Victims victims, int trials, Consumer<List<Unit>> note) {
    var found = new VictimSearch(ground, pool, trial, victims, trials).find(free());
    if (found == null) {
      return false;
    }
    madeRoom = true;
    note.accept(found.lost());
    var moved = new HashSet<>(found.taken());
    moved.removeAll(new HashSet<>(found.lost()));
    moved.forEach(unit -> note(unit, Cause.CONSOLIDATION, trial.ask(), Words.moved()));
    takeable.renew(found.taken(), trial.ask().job());
    return true;
  }

  static void note(Unit unit, Cause cause, Ask ask, String why) {
    unit.job.notices.add(new Job.Notice(cause, ask.job(), why));
  }

  /// At most so much is free: other pods of the nodes are not in the books.
  private long[] free() {
    var free = new long[Counted.COUNT];
    for (int r = 0; r < free.length; r++) {
      free[r] = Amounts.add(pool.total[r], slack[r]);
      free[r] += r == Counted.GPU.index() ? pool.rounded : 0;
      for (var department : pool.departments) {
        free[r] -= department.allocated[r];
      }
    }
    return free;
  }

  boolean isEnoughFree(long[] asked) {
    var free = free();
    for (int r = 0; r < free.length; r++) {
      if (asked[r] > 0 && free[r] < asked[r]) {
        return false;
      }
    }
    return true;
  }
}
