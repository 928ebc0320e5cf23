package io.berth.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.quota.Gang.Preemptibility;
import io.berth.quota.Quota.Entitlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;

/// A random organization, and random gangs that come and go.
final class Simulation {

  private static final int PASSES = 12;
  private static final int MOST_GANGS = 40;
  private static final int MOST_VICTIMS = 12;

  final World world = new World();
  final Ledger ledger = new Ledger(world);
  final Random random;
  private final long seed;
  private final boolean holds;
  private int named;
  int fairnessChecks;

  Simulation(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
    int poolCount = 1 + random.nextInt(2);
    for (int i = 0; i < poolCount; i++) {
      world.pool("pool" + i, 1 + random.nextInt(5), 2 << random.nextInt(3));
    }
    // Where nobody is patient, long waiting gangs hold others up on purpose.
    this.holds = random.nextInt(3) == 0;
    world.pools.replaceAll(
        pool -> pool.withPatience(holds ? Duration.ofMinutes(5) : Duration.ofDays(9)));
    int departments = 1 + random.nextInt(3);
    for (int d = 0; d < departments; d++) {
      world.department("d" + d, quota(12));
      int projects = 1 + random.nextInt(3);
      for (int p = 0; p < projects; p++) {
        world.project("d%dp%d".formatted(d, p), "d" + d, quota(6));
      }
    }
  }

  private Quota quota(int most) {
    long limit = random.nextInt(4) == 0 ? random.nextInt(2 * most) * 1000L : Entitlement.UNLIMITED;
    long deserved = random.nextInt(most) * 1000L;
    long weight = random.nextInt(4) * 1000L;
    var gpu = new Entitlement(deserved, weight == 0 ? Math.min(deserved, limit) : limit, weight);
    return new Quota(gpu, Entitlement.OPEN, Entitlement.OPEN, 100 - random.nextInt(2));
  }

  void run() {
    for (int pass = 0; pass < PASSES; pass++) {
      arrive();
      depart();
      if (pass % 4 == 1) {
        checkOrderDoesNotMatter();
      }
      var outcome = world.pass();
      check(outcome);
      if (!holds && pass % 3 == 2) {
        checkFairness(settle());
      }
    }
    drain();
  }

  private void checkOrderDoesNotMatter() {
    var situation = world.situation();
    var shuffled =
        new Situation(
            situation.now(),
            shuffled(situation.departments()),
            shuffled(situation.projects()),
            shuffled(situation.pools()),
            shuffled(situation.nodes()),
            shuffled(situation.gangs()),
            situation.usage(),
            situation.budgets());
    var one = world.arbiter.decide(situation);
    var other = world.arbiter.decide(shuffled);
    assertThat(other.placements())
        .as("placements in %d", seed)
        .containsExactlyInAnyOrderElementsOf(one.placements());
    assertThat(other.evictions())
        .as("evictions in %d", seed)
        .containsExactlyInAnyOrderElementsOf(one.evictions());
  }

  private <T> List<T> shuffled(List<T> list) {
    var copy = new ArrayList<>(list);
    Collections.shuffle(copy, random);
    return copy;
  }

  /// Who had to give way in one pass may be entitled to something in the next; that ends soon.
  private Outcome settle() {
    for (int pass = 0; ; pass++) {
      var outcome = world.pass();
      check(outcome);
      if (outcome.placements().isEmpty() && outcome.evictions().isEmpty()) {
        return outcome;
      }
      assertThat(pass).as("passes until rest in %d", seed).isLessThan(MOST_GANGS);
    }
  }

  void arrive() {
    int arrivals = Math.min(random.nextInt(8), MOST_GANGS - world.gangs.size());
    for (int i = 0; i < arrivals; i++) {
      add();
    }
  }

  Gang add() {
    var project = world.projects.get(random.nextInt(world.projects.size())).id();
    int pods = 1 + random.nextInt(4);
    int min = random.nextInt(3) == 0 ? 1 + random.nextInt(pods) : pods;
    GpuRequest gpu =
        random.nextInt(5) == 0
            ? new GpuRequest.Portion(1, (1 + random.nextInt(9)) * 100_000L)
            : new GpuRequest.Devices(1 << random.nextInt(3));
    var gang = world.gang("g%03d".formatted(named++), project, pods, min, gpu);
    var kinds = Preemptibility.values();
    var kind = random.nextInt(2) == 0 ? kinds[random.nextInt(kinds.length)] : kinds[0];
    gang = world.priority(gang, 50 + 10 * random.nextInt(3), kind);
    if (world.pools.size() == 2) {
      gang =
          switch (random.nextInt(3)) {
            case 0 -> world.in(gang, "pool0");
            case 1 -> world.in(gang, "pool1", "pool0");
            default -> gang;
          };
    }
    return gang;
  }

  void depart() {
    for (var id : world.running()) {
      if (random.nextInt(5) == 0) {
        world.finish(id);
      }
    }
  }

  private void check(Outcome outcome) {
    for (var gang : world.gangs.values()) {
      checkWhole(gang);
    }
    for (var pool : world.pools) {
      var units = new ArrayList<OrgUnit>(world.departments);
      units.addAll(world.projects);
      for (var unit : units) {
        checkQuota(unit, pool.name());
      }
      ledger
          .freeDevices(pool.name(), List.of())
          .forEach((node, free) -> assertThat(free).as("%s in %d", node, seed).isNotNegative());
    }
    checkDevices();
    for (var waiting : outcome.waiting()) {
      assertThat(waiting.refusals()).as("%s in %d", waiting.gang(), seed).isNotEmpty();
    }
  }

  /// Nobody waits within what it deserves while victims beyond what they deserve hold its room.
  private void checkFairness(Outcome outcome) {
    for (var waiting : outcome.waiting()) {
      var gang = world.find(waiting.gang());
      for (var pool : gang.pools()) {
        var oracle = new Oracle(world, pool);
        int others = oracle.candidates(g -> !g.project().equals(gang.project())).size();
        if (others <= MOST_VICTIMS) {
          fairnessChecks++;
          assertThat(oracle.reclaims(gang))
              .as("%s waits in %s in %d", gang.id(), pool, seed)
              .isFalse();
        }
      }
    }
  }

  private void checkWhole(Gang gang) {
    var placed = world.placed(gang.id());
    if (placed.isEmpty()) {
      return;
    }
    for (var set : gang.sets()) {
      assertThat(set.pods().stream().filter(Gang.Member::isPlaced).count())
          .as("pods of %s in %d", gang.id(), seed)
          .isGreaterThanOrEqualTo(set.min());
    }
    var pool = gang.running() == null ? "" : gang.running().pool();
    assertThat(placed).allMatch(member -> member.pod().nodeName().startsWith(pool + "-"));
  }

  private void checkQuota(OrgUnit unit, String pool) {
    var quota = unit.quota(pool).gpu();
    assertThat(ledger.allocated(unit, pool, false))
        .as("limit of %s in %s in %d", unit.id(), pool, seed)
        .isLessThanOrEqualTo(quota.limit());
    assertThat(ledger.allocated(unit, pool, true))
        .as("non-preemptible of %s in %s in %d", unit.id(), pool, seed)
        .isLessThanOrEqualTo(quota.deserved());
  }

  private void checkDevices() {
    var used = new HashMap<String, Long>();
    for (var gang : world.gangs.values()) {
      for (var set : gang.sets()) {
        if (set.gpu() instanceof GpuRequest.Portion(var _, var micros)) {
          for (var member : set.pods()) {
            member
                .devices()
                .forEach(d -> used.merge(member.pod().nodeName() + " " + d, micros, Long::sum));
          }
        }
      }
    }
    assertThat(used.values()).as("in %d", seed).allMatch(micros -> micros <= 1_000_000);
  }

  /// Nothing comes any more: whatever could ever run gets its turn, and then there is peace.
  private void drain() {
    int quiet = 0;
    for (int pass = 0; quiet < 3; pass++) {
      assertThat(pass).as("passes to drain %d", seed).isLessThan(4 * MOST_GANGS);
      var running = world.running();
      if (!running.isEmpty()) {
        world.finish(running.get(random.nextInt(running.size())));
      }
      var outcome = world.pass();
      check(outcome);
      quiet = outcome.placements().isEmpty() && world.running().isEmpty() ? quiet + 1 : 0;
    }
    for (var gang : world.gangs.values()) {
      for (var pool : gang.pools()) {
        assertThat(couldRun(gang, pool)).as("%s waits for ever in %d", gang.id(), seed).isFalse();
      }
    }
  }

  private boolean couldRun(Gang gang, String pool) {
    boolean firm = gang.preemptibility() != Preemptibility.PREEMPTIBLE;
    var project = ledger.project(gang);
    long least = Ledger.least(gang);
    for (var unit : List.of(project, ledger.department(project))) {
      var quota = unit.quota(pool).gpu();
      if (least > quota.limit() || (firm && least > quota.deserved())) {
        return false;
      }
    }
    return Ledger.fits(gang, ledger.freeDevices(pool, List.of()));
  }
}
