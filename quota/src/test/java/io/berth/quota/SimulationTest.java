package io.berth.quota;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What holds after every pass, in random organizations: gangs are whole, limits and quotas are
/// kept, no device is oversubscribed, nobody waits for what it deserves while another is beyond its
/// own, and everything that could run has run in the end.
///
/// `-Dquota.simulations=1000` for the long run; seeds begin at `-Dquota.seed`.
class SimulationTest {

  private static final int SIMULATIONS = Integer.getInteger("quota.simulations", 40);
  private static final long SEED = Long.getLong("quota.seed", 1);

  @Test
  void invariantsHold() {
    int fairnessChecks = 0;
    for (int i = 0; i < SIMULATIONS; i++) {
      var simulation = new Simulation(SEED + i);
      simulation.run();
      fairnessChecks += simulation.fairnessChecks;
    }
    assertThat(fairnessChecks).isGreaterThan(3 * SIMULATIONS);
  }
}
