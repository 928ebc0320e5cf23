package io.berth.quota.decide;

import io.berth.engine.Engine;
import io.berth.engine.Plan;
import io.berth.quota.Gang;
import io.berth.quota.NodePool;
import io.berth.quota.Outcome;
import io.berth.quota.Outcome.Cause;
import io.berth.quota.Outcome.Placement;
import io.berth.quota.Outcome.Reason;
import io.berth.quota.Outcome.Refusal;
import io.berth.quota.Situation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One pass over everything that waits: shares are worked out, asks find room in the order of
/// fairness, those that find none may get it made, and for the rest it is said why.
///
/// All of it happens in a plan of the engine; the outcome is the difference between the end and the
/// beginning. A gang is looked at in its best pool first, but room that is free in any of its pools
/// comes before room that would have to be made.
public final class Pass {

  private final Situation situation;
  private final Engine engine;
  private final Set<String> projects = new HashSet<>();
  private final Devices devices = new Devices();
  private final Budgets budgets;
  private final Ground ground;
  private final Map<String, Pool> pools = new LinkedHashMap<>();
  private final List<Job> jobs = new ArrayList<>();
  private final Map<String, List<String>> leaving = new HashMap<>();
  private final Map<String, Set<Job>> lines = new HashMap<>();
  private final Map<String, Hold> holds = new HashMap<>();
  private boolean evicted;

  /// `plan` is open on `engine`.
  public Pass(Engine engine, Plan plan, Situation situation) {
    this.situation = situation;
    this.engine = engine;
    this.budgets = new Budgets(situation.budgets());
    this.ground = new Ground(plan, devices, budgets);
    situation.projects().forEach(project -> projects.add(project.id()));
    var configs = new ArrayList<>(situation.pools());
    configs.sort(Comparator.comparing(NodePool::name));
    for (var config : configs) {
      pools.put(config.name(), new Pool(config, situation, engine));
    }
    for (var node : situation.nodes()) {
      devices.memory(node.name(), Pool.deviceMemory(node));
    }
    for (var gang : situation.gangs()) {
      enter(gang, plan);
    }
  }

  private void enter(Gang gang, Plan plan) {
    var job = new Job(gang);
    for (var set : gang.sets()) {
      for (var member : set.pods()) {
        if (member.isPlaced() && member.pod().terminating()) {
          plan.evict(member.pod().namespace(), member.pod().name());
          leaves(member.pod().nodeName(), member.pod().key());
        }
      }
    }
    if (!isKnown(job)) {
      jobs.add(job);
      return;
    }
    var running = gang.running();
    for (var slot : job.slots) {
      if (slot.startNode != null) {
        var pool = running == null ? poolOf(slot.startNode) : pools.get(running.pool());
        if (pool != null) {
          ground.put(slot, pool, slot.startNode, slot.startDevices);
          // From here on, leaving this place is a disruption.
          slot.budgets = budgets.covering(slot);
        }
      }
    }
    jobs.add(job);
  }

  private void leaves(String node, String pod) {
    leaving.computeIfAbsent(node, _ -> new ArrayList<>()).add(pod);
  }

  private @Nullable Pool poolOf(String node) {
    for (var pool : pools.values()) {
      if (pool.has(node)) {
        return pool;
      }
    }
    return null;
  }

  private boolean isKnown(Job job) {
    return projects.contains(job.gang.project());
  }

  public Outcome run() {
    endStale();
    countDemand();
    for (var pool : pools.values()) {
      new FairShares(pool, situation).compute();
    }
    keepPromises();
    allocate();
    for (int position = 0; position < choices(); position++) {
      for (var pool : pools.values()) {
        makeRoom(pool, position);
      }
    }
    if (evicted) {
      // What had to go may have left more room than was asked for.
      allocate();
    }
    return new Report(projects, pools, jobs, leaving, lines).outcome();
  }

  /// Gangs that lost pods and have been below their minimum for too long.
  private void endStale() {
    for (var job : jobs) {
      var running = job.gang.running();
      var pool = running == null ? null : pools.get(running.pool());
      if (running == null || pool == null || running.staleSince() == null || job.pool == null) {
        continue;
      }
      boolean late = !running.staleSince().plus(pool.config.staleGrace()).isAfter(situation.now());
      if (late && !job.isComplete()) {
        job.notices.add(new Job.Notice(Cause.STALE, null, Words.stale(job)));
        job.slots.stream().filter(slot -> slot.node != null).forEach(ground::remove);
      }
    }
  }

  /// Demand counts in every pool a gang may use: it is there to be served by any of them.
  private void countDemand() {
    for (var job : jobs) {
      if (!isKnown(job)) {
        continue;
      }
      for (var slot : job.slots) {
        var current = slot.node == null ? null : job.pool;
        for (var name : current == null ? job.pools() : List.of(current.name())) {
          var pool = pools.get(name);
          if (pool != null) {
            pool.queueOf(job).demand(slot.amountsIn(pool), slot.firm);
          }
        }
      }
    }
  }

  /// Where they were to be, as far as that is still free.
  private void keepPromises() {
    var promised = new HashMap<String, Placement>();
    situation.promised().forEach(placement -> promised.put(placement.gang(), placement));
    var asks = new ArrayList<Ask>();
    for (var job : jobs) {
      if (promised.containsKey(job.gang.id()) && isKnown(job)) {
        asks.addAll(job.asks());
      }
    }
    asks.sort(Ask.ORDER);
    for (var ask : asks) {
      var placement = promised.get(ask.job().gang.id());
      if (placement != null) {
        keepPromise(ask, placement);
      }
    }
  }

  private void keepPromise(Ask ask, Placement placement) {
    var pool = pools.get(placement.pool());
    if (pool == null || !ask.job().pools().contains(pool.name()) || !isItsTurn(ask, pool)) {
      return;
    }
    ask.slots().forEach(slot -> slot.amounts = slot.amountsIn(pool));
    if (Gate.passes(pool.queueOf(ask.job()), ask.firm(), ask.amounts())) {
      ask.job().kept |= ground.placeAs(placement, ask.slots(), pool);
    }
  }

  private int choices() {
    return jobs.stream().mapToInt(job -> job.pools().size()).max().orElse(0);
  }

  /// Extras come last: one of a gang in its best pool would else take the room that another gang
  /// needs to run at all, and that others may have left for it.
  private void allocate() {
    for (boolean extras : new boolean[] {false, true}) {
      for (int position = 0; position < choices(); position++) {
        for (var pool : pools.values()) {
          allocate(pool, position, extras);
        }
      }
    }
  }

  private void allocate(Pool pool, int position, boolean extras) {
    var asks = asks(pool, position);
    asks.removeIf(ask -> ask.extra() != extras);
    if (asks.isEmpty()) {
      return;
    }
    var hold = Hold.findFor(pool, asks, jobs, ground, situation.now());
    if (hold != null) {
      holds.put(pool.name(), hold);
    }
    var refused = new HashMap<Signature, Refusal>();
    new Sweep(pool, asks)
        .run((ask, queue, amounts) -> {
          var refusal = tryToPlace(ask, queue, amounts, pool, refused);
          if (refusal != null && !ask.extra()) {
            ask.job().refuse(refusal);
          }
          return false;
        });
  }

  /// What is asked of a pool by those for whom it is the choice of this position.
  private List<Ask> asks(Pool pool, int position) {
    var asks = new ArrayList<Ask>();
    for (var job : jobs) {
      boolean chosen =
          position < job.pools().size() && job.pools().get(position).equals(pool.name());
      if (chosen && isKnown(job)) {
        for (var ask : job.asks()) {
          asks.add(ask);
        }
      }
    }
    return asks;
  }

  private @Nullable Refusal tryToPlace(
      Ask ask, Queue queue, long[] amounts, Pool pool, Map<Signature, Refusal> refused) {
    if (!isItsTurn(ask, pool)) {
      return null;
    }
    var refusal = Gate.refusal(pool, queue, ask.firm(), amounts);
    if (refusal != null) {
      return refusal;
    }
    var hold = holds.get(pool.name());
    if (hold != null && hold.stops(ask, queue, amounts)) {
      return Refusal.of(pool.name(), Reason.HELD, Words.held(hold.holder()));
    }
    var signature = Signature.of(ask, pool, engine);
    var known = refused.get(signature);
    if (known == null && !ground.placeAll(ask.slots(), pool)) {
      known = Refusal.of(pool.name(), Reason.NO_ROOM, ground.objection());
      refused.put(signature, known);
    }
    return known;
  }

  /// Extras come after the pods they come on top of, and into the same pool.
  private static boolean isItsTurn(Ask ask, Pool pool) {
    var job = ask.job();
    return !ask.extra() || (job.isComplete() && (!job.isSomewhere() || pool.equals(job.pool)));
  }

  private void makeRoom(Pool pool, int position) {
    var room = new RoomMaker(ground, pool, jobs, situation.now());
    var failed = new HashSet<Attempt>();
    var line = lines.computeIfAbsent(pool.name(), _ -> new LinkedHashSet<>());
    new Sweep(pool, asks(pool, position))
        .run((ask, queue, amounts) -> {
          boolean made = isItsTurn(ask, pool) && makeRoom(ask, queue, amounts, pool, room, failed);
          if (!made && !ask.extra()) {
            line.add(ask.job());
          }
          evicted |= made;
          return made;
        });
  }

  private record Attempt(Signature signature, String project, int priority, boolean firm) {}

  private boolean makeRoom(
      Ask ask, Queue queue, long[] amounts, Pool pool, RoomMaker room, Set<Attempt> failed) {
    var refusal = Gate.refusal(pool, queue, ask.firm(), amounts);
    boolean hopeless = refusal != null && refusal.reason() != Reason.OVER_LIMIT;
    var hold = holds.get(pool.name());
    if (hopeless || (hold != null && hold.stops(ask, queue, amounts))) {
      return false;
    }
    var gang = ask.job().gang;
    var signature = Signature.of(ask, pool, engine);
    var attempt = new Attempt(signature, gang.project(), gang.priority(), ask.firm());
    if (failed.contains(attempt)) {
      return false;
    }
    boolean made = room.makeRoom(ask, queue, amounts);
    if (!made) {
      failed.add(attempt);
    }
    return made;
  }
}
