package io.berth.conformance.hostile;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.berth.conformance.Step;
import io.berth.conformance.oracle.Oracle;
import io.berth.conformance.random.RandomCases;

/// Lets Jazzer choose the damage. A normal build replays the kept inputs; `JAZZER_FUZZ=1` searches
/// for a minute.
class IntakeFuzzTest {

  @FuzzTest(maxDuration = "1m")
  void events(FuzzedDataProvider data) {
    var vandal = new Vandal(bound -> data.consumeInt(0, bound - 1));
    var made = new RandomCases(new Oracle(), false).of(data.consumeLong(1, 200));
    var intake = new Intake(made);
    for (var step : made.steps()) {
      if (data.remainingBytes() == 0) {
        return;
      }
      if (step instanceof Step.AddNode(var node)) {
        var damaged = node.copy();
        vandal.damage(damaged, 2);
        intake.putNode(damaged);
      } else if (step instanceof Step.AddPod(var pod)) {
        var damaged = pod.copy();
        vandal.damage(damaged, 2);
        intake.putPod(damaged);
      } else if (step instanceof Step.Decide decide) {
        var damaged = decide.pod().copy();
        vandal.damage(damaged, 2);
        intake.decide(damaged);
      }
    }
  }
}
