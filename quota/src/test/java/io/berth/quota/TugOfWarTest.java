package io.berth.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/// Two departments do not take the same room from each other for ever, however their gangs add up.
///
/// `-Dquota.simulations=5000` for the long run; seeds begin at `-Dquota.seed`.
class TugOfWarTest {

  private static final int SIMULATIONS = Integer.getInteger("quota.simulations", 300);
  private static final long SEED = Long.getLong("quota.seed", 1);
  private static final int MOST_PASSES = 20;

  /// Department a has 2 of 4 and b 6 of 4. For 3 more a would take all 4 of the large gang, and
  /// have 5 to the 2 that are left to b.
  @Test
  void aGangIsNotTakenByWhoEndsFartherBeyond() {
    var world = new World().pool("x", 2, 4);
    world.department("a", World.gpus(0, 1)).department("b", World.gpus(0, 1));
    world.project("a1", "a", World.gpus(0, 3)).project("a2", "a", World.gpus(0, 1));
    world.project("b1", "b", World.gpus(0, 0)).project("b2", "b", World.gpus(0, 1));
    world.gang("large", "b2", 1, 4);
    world.pass();
    world.gang("idle", "b1", 1, 2);
    world.gang("beside", "a2", 1, 2);
    world.pass();
    assertThat(world.running()).containsExactly("large", "idle", "beside");

    world.gang("asking", "a1", 1, 3);
    assertRest(world, 0);

    assertThat(world.running()).containsExactly("large", "asking");
  }

  @Test
  void itComesToRest() {
    for (int i = 0; i < SIMULATIONS; i++) {
      var random = new Random(SEED + i);
      assertRest(world(random), SEED + i);
    }
  }

  private static World world(Random random) {
    var world = new World().pool("x", 1 + random.nextInt(3), 2 + random.nextInt(5));
    for (var department : new String[] {"a", "b"}) {
      world.department(department, World.gpus(random.nextInt(3), 1 + random.nextInt(2)));
      for (int p = 1; p <= 2; p++) {
        world.project(department + p, department, World.gpus(random.nextInt(3), random.nextInt(3)));
      }
    }
    for (int i = 0; i < 8; i++) {
      var project = world.projects.get(random.nextInt(world.projects.size())).id();
      world.gang("g" + i, project, 1 + random.nextInt(2), 1 + random.nextInt(4));
      if (random.nextBoolean()) {
        world.pass();
      }
    }
    return world;
  }

  private static void assertRest(World world, long seed) {
    for (int pass = 0; ; pass++) {
      var outcome = world.pass();
      if (outcome.placements().isEmpty() && outcome.evictions().isEmpty()) {
        return;
      }
      assertThat(pass).as("passes until rest in %d: %s", seed, outcome).isLessThan(MOST_PASSES);
    }
  }
}
