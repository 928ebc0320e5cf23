package io.berth.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.quota.Gang.Preemptibility;
import io.berth.quota.Outcome.Cause;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// One gang comes to a small cluster at rest: it starts if some set of victims makes that possible,
/// and of what is evicted nothing could be spared.
///
/// `-Dquota.oracle=20000` for the long run; seeds begin at `-Dquota.seed`.
class LeastEvictionTest {

  private static final int CASES = Integer.getInteger("quota.oracle", 600);
  private static final long SEED = Long.getLong("quota.seed", 1);

  private static final int FEW = 8;
  private static final int MANY = 14;

  private final Map<Cause, Integer> seen = new EnumMap<>(Cause.class);

  @Test
  void startsWhereVictimsHelp() {
    for (int i = 0; i < CASES; i++) {
      check(SEED + i, FEW);
    }
    assertThat(seen.getOrDefault(Cause.RECLAIM, 0)).isGreaterThan(CASES / 50);
    assertThat(seen.getOrDefault(Cause.PREEMPTION, 0)).isGreaterThan(CASES / 50);
  }

  @Test
  void sparesWhatIsNotNeeded() {
    for (int i = 0; i < CASES / 3; i++) {
      check(SEED + i, MANY);
    }
    assertThat(seen.getOrDefault(Cause.RECLAIM, 0)).isGreaterThan(CASES / 100);
  }

  private void check(long seed, int gangs) {
    var random = new Random(seed);
    var world = new World();
    world.pool("x", 1 + random.nextInt(gangs / 3), 2 << random.nextInt(2));
    for (int d = 0; d < 2; d++) {
      world.department("d" + d, World.gpus(random.nextInt(8), random.nextInt(3)));
      for (int p = 0; p < 2; p++) {
        var quota =
            World.gpus(random.nextInt(5), random.nextInt(3), random.nextInt(5) == 0 ? 6 : -1);
        world.project("d%dp%d".formatted(d, p), "d" + d, quota);
      }
    }
    for (int i = 0; i < gangs; i++) {
      // The first projects hold most of it, so that there is something to take back.
      add(world, random, "g" + i, random.nextInt(1 + random.nextInt(world.projects.size())));
    }
    while (!world.pass().placements().isEmpty()) {
      // Until nothing starts any more.
    }
    List.copyOf(world.gangs.values()).stream()
        .filter(gang -> gang.running() == null)
        .forEach(gang -> world.finish(gang.id()));
    var gang = add(world, random, "new", random.nextInt(world.projects.size()));
    check(world, gang, world.arbiter.decide(world.situation()), seed);
  }

  private static Gang add(World world, Random random, String id, int projectIndex) {
    var project = world.projects.get(projectIndex).id();
    var gang = world.gang(id, project, 1 + random.nextInt(2), 1 << random.nextInt(2));
    var kind = random.nextInt(5) == 0 ? Preemptibility.NON_PREEMPTIBLE : Preemptibility.PREEMPTIBLE;
    return world.priority(gang, 50 + 10 * random.nextInt(3), kind);
  }

  private void check(World world, Gang gang, Outcome outcome, long seed) {
    var oracle = new Oracle(world, "x");
    var what = "gang %s of %s, seed %d".formatted(gang.id(), gang.project(), seed);
    boolean starts = outcome.placements().stream().anyMatch(p -> p.gang().equals("new"));
    if (oracle.isAdmitted(gang, List.of()) && oracle.fits(gang, List.of())) {
      assertThat(starts).as(what).isTrue();
      assertThat(outcome.evictions()).as(what).isEmpty();
      return;
    }
    var causes = outcome.evictions().stream().map(Outcome.Eviction::cause).distinct().toList();
    if (causes.contains(Cause.CONSOLIDATION)) {
      assertThat(starts).as(what).isTrue();
      long moved =
          outcome.evictions().stream().filter(e -> e.cause() == Cause.CONSOLIDATION).count();
      assertThat(outcome.placements()).as(what).hasSizeGreaterThan((int) moved);
      return;
    }
    if (oracle.reclaims(gang) || oracle.preempts(gang)) {
      assertThat(starts).as(what).isTrue();
    }
    if (starts) {
      checkNoneIsSpare(world, gang, outcome, oracle, what);
    }
    causes.forEach(cause -> seen.merge(cause, 1, Integer::sum));
  }

  private static void checkNoneIsSpare(
      World world, Gang gang, Outcome outcome, Oracle oracle, String what) {
    var evicted = outcome.evictions().stream().map(e -> world.find(e.gang())).toList();
    for (var spared : evicted) {
      var others = evicted.stream().filter(other -> !other.equals(spared)).toList();
      assertThat(oracle.isAdmitted(gang, others) && oracle.fits(gang, others))
          .as("%s without evicting %s", what, spared.id())
          .isFalse();
    }
  }
}
