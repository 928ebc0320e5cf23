package io.berth.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.console.scene.PodCell;
import io.berth.console.scene.PodState;
import io.berth.console.scene.Room;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PendingViewTest {

  record Case(String message, PodState state, PendingView.Cause expected) {}

  static final List<Case> CASES =
      List.of(
          new Case("", PodState.WAITING, new PendingView.Cause("Not tried yet", 0)),
          new Case("", PodState.GATED, new PendingView.Cause("Scheduling is blocked by gates", 0)),
          new Case(
              "0/6 nodes are available: 1 node(s) were unschedulable, 5 Insufficient cpu. no new"
                  + " claims to deallocate, preemption: 0/6 nodes are available: 6 Preemption is"
                  + " not helpful for scheduling.",
              PodState.WAITING,
              new PendingView.Cause("Insufficient cpu", 5)),
          new Case(
              "0/3 nodes are available: 2 node(s) had untolerated taint(s), 3 Too many pods.",
              PodState.WAITING,
              new PendingView.Cause("Too many pods", 3)),
          new Case(
              "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints"
                  + " (missing required label).",
              PodState.WAITING,
              new PendingView.Cause(
                  "node(s) didn't match pod topology spread constraints (missing required label)",
                  1)),
          new Case(
              "persistentvolumeclaim \"data\" not found",
              PodState.WAITING,
              new PendingView.Cause("persistentvolumeclaim \"data\" not found", 0)));

  @ParameterizedTest
  @FieldSource("CASES")
  void theCauseIsWhatRefusesOnMostNodes(Case c) {
    var pod =
        new PodCell(
            "shop", "web", "", c.state, "", 0, Room.NONE, "2026-01-01T00:00:00Z", c.message);

    assertThat(PendingView.cause(pod)).isEqualTo(c.expected);
  }
}
