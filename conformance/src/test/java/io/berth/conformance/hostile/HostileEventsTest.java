package io.berth.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.conformance.Case;
import io.berth.conformance.EngineRespondent;
import io.berth.conformance.Step;
import io.berth.conformance.oracle.Oracle;
import io.berth.conformance.random.RandomCases;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Damaged events never get an exception out of the engine and never leave traces in its model.
class HostileEventsTest {

  private static final int HISTORIES = Integer.getInteger("berth.hostile", 400);

  @Test
  void engineSurvivesDamagedEvents() {
    var cases = new RandomCases(new Oracle(), false);
    int refused = 0;
    for (int seed = 1; seed <= HISTORIES; seed++) {
      refused += live(cases.of(seed), new SplittableRandom(seed));
    }
    // Both happen: objects that are refused, and damage that Kubernetes itself would let through.
    assertThat(refused).isPositive();
  }

  @Test
  void engineSurvivesDamagedVolumes() {
    var cases = RandomCases.withVolumes(new EngineRespondent());
    int refused = 0;
    for (int seed = 1; seed <= HISTORIES / 4; seed++) {
      refused += live(cases.of(seed), new SplittableRandom(seed));
    }
    assertThat(refused).isPositive();
  }

  private static int live(Case made, SplittableRandom random) {
    var vandal = new Vandal(random::nextInt);
    var intake = new Intake(made);
    var probes = new ArrayList<Tree>();
    for (var step : made.steps()) {
      switch (step) {
        case Step.AddNode(var node) -> intake.putNode(damaged(vandal, node));
        case Step.UpdateNode(var node) -> intake.putNode(damaged(vandal, node));
        case Step.AddPod(var pod) -> intake.putPod(onItsNode(vandal, pod));
        case Step.UpdatePod(var pod) -> intake.putPod(onItsNode(vandal, pod));
        case Step.RemovePod(var pod) -> intake.removePod(pod);
        case Step.Put(var object) ->
            intake.put(damaged(vandal, object).put("kind", object.get("kind")));
        case Step.Decide decide -> {
          probes.add(decide.pod());
          intake.decide(damaged(vandal, decide.pod()));
        }
        case Step.Event _ -> {}
      }
    }
    for (var probe : probes.subList(0, Math.min(2, probes.size()))) {
      intake.checkAgainstFreshStart(probe);
    }
    return intake.refused();
  }

  private static Tree damaged(Vandal vandal, Tree object) {
    var damaged = object.copy();
    vandal.damage(damaged, 3);
    return named(damaged, object);
  }

  /// Damaged, but still the same running pod: a pod that ceases to run is another test.
  private static Tree onItsNode(Vandal vandal, Tree pod) {
    var damaged = damaged(vandal, pod);
    if (damaged.get("spec") instanceof Tree spec) {
      spec.put("nodeName", pod.at("spec", "nodeName"));
    } else {
      damaged.put("spec", pod.treeOrEmpty("spec").copy());
    }
    if (damaged.get("status") instanceof Tree status) {
      status.remove("phase");
    }
    return damaged;
  }

  private static Tree named(Tree damaged, Tree object) {
    if (!(damaged.get("metadata") instanceof Tree)) {
      damaged.put("metadata", new Tree());
    }
    for (var field : List.of("name", "namespace")) {
      if (object.at("metadata", field) instanceof String name) {
        damaged.child("metadata").put(field, name);
      }
    }
    return damaged;
  }
}
