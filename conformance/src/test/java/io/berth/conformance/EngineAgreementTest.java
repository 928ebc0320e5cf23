package io.berth.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.codec.Json;
import io.berth.conformance.oracle.Oracle;
import io.berth.conformance.random.RandomCases;
import io.berth.conformance.random.Shrinker;
import org.junit.jupiter.api.Test;

/// Engine and oracle agree on every verdict, reason, score and victim of random clusters.
///
/// `-Dberth.decisions=1000000 -Dberth.seed=7` asks for more of them, or for others. A difference is
/// shrunk and printed as a case that `berth replay` reads.
class EngineAgreementTest {

  private static final int DECISIONS = Integer.getInteger("berth.decisions", 20_000);
  private static final long SEED = Long.getLong("berth.seed", 1);

  @Test
  void engineAndOracleAgree() {
    var cases = new RandomCases(new Oracle(), false);
    int decisions = 0;
    long seed = SEED;
    for (; decisions < DECISIONS; seed++) {
      var made = cases.of(seed);
      decisions += (int) made.steps().stream().filter(Step.Decide.class::isInstance).count();
      if (new Replay(new EngineRespondent()).run(made).differing() > 0) {
        var shrunk = new Shrinker(EngineAgreementTest::differs).shrink(made);
        var answered = new Replay(new Oracle()).record(shrunk);
        assertThat(new Replay(new EngineRespondent()).run(answered).differences())
            .as("seed %d, shrunk: %s", seed, Json.text(answered.tree()))
            .isEmpty();
      }
    }
    System.out.printf("%d decisions agree, seeds %d to %d%n", decisions, SEED, seed - 1);
  }

  private static boolean differs(Case asked) {
    var answered = new Replay(new Oracle()).record(asked);
    return new Replay(new EngineRespondent()).run(answered).differing() > 0;
  }
}
