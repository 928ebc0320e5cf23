package io.berth.quota.decide;

import io.berth.quota.Counted;
import io.berth.quota.Outcome.Cause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Makes room for an ask that found none: by moving gangs together, by taking back from projects
/// beyond their share, or from gangs of less priority in its own project; in this order.
final class RoomMaker {

  /// So many asks a pool may be looked at for moving gangs together in one pass; others wait for
  /// the next pass.
  private static final int MAX_CONSOLIDATIONS = 50;

  /// So many gangs at most are moved for one ask.
  private static final int MAX_MOVED = 12;

  private final Ground ground;
  private final Pool pool;
  private final List<Job> jobs;
  private final Instant now;
  private final long[] closedUse = new long[Counted.COUNT];
  private int consolidations;
  private boolean madeRoom;
  private final Map<Queue, Integer> lowest = new HashMap<>();
  private @Nullable List<Unit> units;
  private @Nullable List<Unit> byNode;

  RoomMaker(Ground ground, Pool pool, List<Job> jobs, Instant now) {
    this.ground = ground;
    this.pool = pool;
    this.jobs = jobs;
    this.now = now;
    for (var job : jobs) {
      if (pool.equals(job.pool)) {
        job.slots.forEach(this::countClosed);
      }
    }
  }

  private void countClosed(Slot slot) {
    if (slot.node != null && pool.isClosed(slot.node)) {
      for (int r = 0; r < closedUse.length; r++) {
        closedUse[r] += slot.amounts[r];
      }
    }
  }

  /// Returns whether the ask is placed now; if not, everything is as it was.
  boolean makeRoom(Ask ask, Queue queue, long[] asked) {
    return fitsByNow(ask, queue, asked)
        || consolidate(ask, queue, asked)
        || reclaim(ask, queue, asked)
        || preempt(ask, queue, asked);
  }

  /// What made way for another may have left more room than that one needed.
  private boolean fitsByNow(Ask ask, Queue queue, long[] asked) {
    return madeRoom && Gate.passes(queue, ask.firm(), asked) && ground.placeAll(ask.slots(), pool);
  }

  private boolean consolidate(Ask ask, Queue queue, long[] asked) {
    if (!pool.packs() || !Gate.passes(queue, ask.firm(), asked) || !isEnough(free(), asked)) {
      return false;
    }
    if (consolidations >= MAX_CONSOLIDATIONS) {
      return false;
    }
    consolidations++;
    var trial = new Settle(ask, queue, asked, _ -> true, _ -> true, true);
    var why = Words.moved();
    return take(trial, movable(ask, asked), found -> noteAll(found, Cause.CONSOLIDATION, ask, why));
  }

  /// What might be moved, from the nodes first that would be empty soonest.
  private List<Unit> movable(Ask ask, long[] asked) {
    var onNode = new HashMap<String, Long>();
    var candidates = new ArrayList<Unit>();
    for (var unit : units()) {
      if (unit.job != ask.job() && unit.before.isEmpty() && isSmall(unit, asked)) {
        candidates.add(unit);
        onNode.merge(unit.firstNode, unit.amounts[main(asked)], Long::sum);
      }
    }
    candidates.sort(
        Comparator.<Unit, Long>comparing(unit -> onNode.getOrDefault(unit.firstNode, 0L))
            .thenComparing(unit -> unit.firstNode)
            .thenComparing(ORDER));
    return candidates.subList(0, Math.min(MAX_MOVED, candidates.size()));
  }

  /// The resource that counts most of those that are asked for.
  private static int main(long[] asked) {
    for (int r = 0; r < asked.length; r++) {
      if (asked[r] > 0) {
        return r;
      }
    }
    return 0;
  }

  /// Moving something larger than the ask itself only moves the problem.
  private static boolean isSmall(Unit unit, long[] asked) {
    return unit.amounts[main(asked)] <= asked[main(asked)];
  }

  /// Whose share is measured by what: first those beyond their fair share, then, for an ask within
  /// what its own side deserves, all beyond what they deserve; first where the project itself is
  /// beyond, then where only its department is.
  private boolean reclaim(Ask ask, Queue queue, long[] asked) {
    for (boolean byDeserved : new boolean[] {false, true}) {
      if (!queue.staysWithin(byDeserved ? queue.deserved : queue.fairShare, asked)) {
        continue;
      }
      for (boolean projectToo : new boolean[] {true, false}) {
        if (!isAnybodyBeyond(queue, asked, byDeserved, projectToo)) {
          continue;
        }
        Predicate<Unit> candidate =
            unit ->
                isBeyond(queue, asked, unit.queue, byDeserved, projectToo)
                    && (byDeserved || !unit.earned);
        Predicate<Unit> legal =
            unit ->
                candidate.test(unit)
                    && keepsWithin(queue, asked, unit.queue, byDeserved)
                    && (byDeserved || keepsDeserved(queue, asked, unit));
        var trial = new Settle(ask, queue, asked, candidate, legal, false);
        if (take(trial, units(), found -> noteReclaim(ask, found))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isAnybodyBeyond(Queue own, long[] asked, boolean byDeserved, boolean projectToo) {
    for (var other : pool.projects.values()) {
      if (isBeyond(own, asked, other, byDeserved, projectToo)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBeyond(
      Queue own, long[] asked, Queue other, boolean byDeserved, boolean projectToo) {
    if (own.equals(other)) {
      return false;
    }
    var theirs = other.below(own);
    return theirs.isOver(measure(theirs, byDeserved), asked)
        && (!projectToo || other.isOver(measure(other, byDeserved), asked));
  }

  private static boolean keepsWithin(Queue own, long[] asked, Queue other, boolean byDeserved) {
    var mine = own.below(other);
    return mine.staysWithin(measure(mine, byDeserved), asked);
  }

  /// For the sake of a share nobody falls below what it deserves: it would take that back at once.
  private static boolean keepsDeserved(Queue own, long[] asked, Unit unit) {
    return unit.queue.keepsDeserved(asked, unit.amounts)
        && unit.queue.below(own).keepsDeserved(asked, unit.amounts);
  }

  private static long[] measure(Queue queue, boolean byDeserved) {
    return byDeserved ? queue.deserved : queue.fairShare;
  }

  /// Names the use that was too much, as it was before.
  private static void noteReclaim(Ask ask, List<Unit> found) {
    var before = new HashMap<Queue, long[]>();
    for (var unit : found) {
      var used = before.computeIfAbsent(unit.queue, queue -> queue.allocated.clone());
      for (int r = 0; r < used.length; r++) {
        used[r] += unit.amounts[r];
      }
    }
    for (var unit : found) {
      var used = before.getOrDefault(unit.queue, unit.queue.allocated);
      note(unit, Cause.RECLAIM, ask, Words.reclaimed(ask.job(), unit.queue, used));
    }
  }

  /// The lowest priorities first: a higher one is touched only where lower ones do not suffice.
  private boolean preempt(Ask ask, Queue queue, long[] asked) {
    if (lowestPriority(queue) >= ask.job().gang.priority()) {
      return false;
    }
    var own = new ArrayList<Unit>();
    var priorities = new TreeSet<Integer>();
    for (var unit : units()) {
      boolean lower = unit.job.gang.priority() < ask.job().gang.priority();
      if (lower && unit.queue.equals(queue)) {
        own.add(unit);
        priorities.add(unit.job.gang.priority());
      }
    }
    for (int highest : priorities) {
      var candidates = own.stream().filter(u -> u.job.gang.priority() <= highest).toList();
      var trial = new Settle(ask, queue, asked, _ -> true, _ -> true, false);
      var why = Words.preempted(ask.job());
      if (take(trial, candidates, found -> noteAll(found, Cause.PREEMPTION, ask, why))) {
        return true;
      }
    }
    return false;
  }

  /// No higher than the lowest priority among what may be taken from a project.
  private int lowestPriority(Queue queue) {
    units();
    return lowest.getOrDefault(queue, Integer.MAX_VALUE);
  }

  private boolean take(Settle trial, List<Unit> candidates, Consumer<List<Unit>> note) {
    var free = free();
    var found = new VictimSearch(ground, pool, trial.asked, free, trial).find(candidates, byNode());
    if (found == null) {
      return false;
    }
    madeRoom = true;
    note.accept(found);
    renew(found, trial.ask.job());
    return true;
  }

  private static void noteAll(List<Unit> found, Cause cause, Ask ask, String why) {
    found.forEach(unit -> note(unit, cause, ask, why));
  }

  private static void note(Unit unit, Cause cause, Ask ask, String why) {
    unit.job.notices.add(new Job.Notice(cause, ask.job(), why));
  }

  /// At most so much is free: other pods of the nodes are not in the books.
  private long[] free() {
    var free = new long[Counted.COUNT];
    for (int r = 0; r < free.length; r++) {
      free[r] = pool.total[r] + closedUse[r];
      for (var department : pool.departments) {
        free[r] -= department.allocated[r];
      }
    }
    return free;
  }

  private static boolean isEnough(long[] free, long[] asked) {
    for (int r = 0; r < free.length; r++) {
      if (asked[r] > 0 && free[r] < asked[r]) {
        return false;
      }
    }
    return true;
  }

  /// All that may be taken in this pool, the cheapest first.
  private List<Unit> units() {
    if (units == null) {
      units = new ArrayList<>();
      jobs.forEach(job -> addUnits(job, units));
      units.sort(ORDER);
    }
    return units;
  }

  /// The same, node by node.
  private List<Unit> byNode() {
    if (byNode == null) {
      byNode = new ArrayList<>(units());
      byNode.sort(VictimSearch.BY_NODE);
    }
    return byNode;
  }

  private void addUnits(Job job, List<Unit> list) {
    if (pool.equals(job.pool) && !isProtected(job)) {
      for (var unit : Unit.of(job, hasEarnedItsTime(job))) {
        list.add(unit);
        lowest.merge(unit.queue, job.gang.priority(), Math::min);
      }
    }
  }

  /// Brings the list up to date after gangs gave way to another.
  private void renew(List<Unit> taken, Job placed) {
    var changed = new LinkedHashSet<Job>();
    taken.forEach(unit -> changed.add(unit.job));
    changed.add(placed);
    var added = new ArrayList<Unit>();
    changed.forEach(job -> addUnits(job, added));
    renew(units(), changed, added, ORDER);
    renew(byNode(), changed, added, VictimSearch.BY_NODE);
  }

  private static void renew(
      List<Unit> list, Set<Job> changed, List<Unit> added, Comparator<Unit> order) {
    list.removeIf(unit -> changed.contains(unit.job));
    for (var unit : added) {
      int at = Collections.binarySearch(list, unit, order);
      list.add(at < 0 ? -at - 1 : at, unit);
    }
  }

  private static final Comparator<Unit> ORDER =
      Comparator.<Unit, Boolean>comparing(unit -> !unit.before.isEmpty())
          .thenComparing(VictimSearch.BY_SIZE)
          .thenComparingInt(unit -> unit.job.gang.priority())
          .thenComparing(unit -> unit.firstNode)
          .thenComparing(unit -> unit.job.gang.createdAt(), Comparator.reverseOrder())
          .thenComparing(unit -> unit.job.gang.id())
          .thenComparing(unit -> unit.slots.getFirst().key(), Comparator.reverseOrder());

  private boolean isProtected(Job job) {
    var running = job.gang.running();
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

  /// Places the ask once victims are gone, and, when gangs are moved, the victims after it.
  private final class Settle implements VictimSearch.Trial {

    private final Ask ask;
    private final Queue queue;
    private final long[] asked;
    private final Predicate<Unit> candidate;
    private final Predicate<Unit> legal;
    private final boolean moving;
    private Set<String> nodes = Set.of();

    Settle(
        Ask ask,
        Queue queue,
        long[] asked,
        Predicate<Unit> candidate,
        Predicate<Unit> legal,
        boolean moving) {
      this.ask = ask;
      this.queue = queue;
      this.asked = asked;
      this.candidate = candidate;
      this.legal = legal;
      this.moving = moving;
    }

    @Override
    public boolean isCandidate(Unit unit) {
      return unit.job != ask.job() && candidate.test(unit);
    }

    @Override
    public boolean mayTake(Unit unit) {
      return unit.job != ask.job() && legal.test(unit);
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
    public Set<String> nodes() {
      return nodes;
    }
  }
}
