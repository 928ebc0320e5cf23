package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Places the pods of a group one after the other in a plan, and says whether enough found a place.
///
/// As in Kubernetes: the order is fixed, each pod sees those before it, and it ends early when what
/// is left cannot make the count any more.
final class GroupPlacement {

  private final Plan plan;
  private final Function<Pod, Decision> decide;
  private final int minCount;
  private final int placedBefore;

  /// `decide` answers with everything in mind that the plan has done so far; `placedBefore` pods of
  /// the group have a place already.
  GroupPlacement(Plan plan, Function<Pod, Decision> decide, int minCount, int placedBefore) {
    this.plan = plan;
    this.decide = decide;
    this.minCount = minCount;
    this.placedBefore = placedBefore;
  }

  /// What came of it: one decision for each pod that was looked at, in the order of the pods.
  sealed interface Result {

    List<Decision> decisions();

    /// Enough pods have a place, which the plan holds.
    record Placed(List<Decision> decisions) implements Result {}

    /// Not enough have one; the plan is as it was before.
    record Unplaced(List<Decision> decisions, String message) implements Result {}

    /// An attempt broke; the plan is as it was before.
    record Failed(List<Decision> decisions, String error) implements Result {}
  }

  Result place(List<Pod> pods) {
    int start = plan.checkpoint();
    var decisions = new ArrayList<Decision>();
    int placed = placedBefore;
    int remaining = pods.size();
    for (var pod : pods) {
      if (placed + remaining < minCount) {
        break;
      }
      var decision = decide.apply(pod);
      decisions.add(decision);
      remaining--;
      switch (decision) {
        case Decision.Placed there -> {
          plan.place(pod, there.node());
          placed++;
        }
        case Decision.Unschedulable _ -> {
          // The others may still be enough.
        }
        case Decision.Failed failed -> {
          plan.rollback(start);
          return new Result.Failed(
              decisions, "failed to schedule other pod from a pod group: " + failed.error());
        }
      }
    }
    if (placed >= minCount && placed > placedBefore) {
      return new Result.Placed(decisions);
    }
    plan.rollback(start);
    return new Result.Unplaced(decisions, message(placed, remaining));
  }

  private String message(int placed, int remaining) {
    return placed >= minCount
        ? ""
        : "minCount (%d) cannot be satisfied: %d scheduled, %d remaining"
            .formatted(minCount, placed, remaining);
  }
}
