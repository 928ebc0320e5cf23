package io.berth.workloads.control;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.door.Door;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.state.Conditions;
import io.berth.workloads.state.State;

/// One look at a department, project, node pool or policy: takes in what is right, and says of the
/// rest what is wrong with it.
final class DoorStep {

  private final State state;
  private final Door door;

  DoorStep(State state, Door door) {
    this.state = state;
    this.door = door;
  }

  void look(Resource resource, String name) {
    var found = state.table(resource).find("", name);
    if (found.isEmpty() || found.get().text("metadata", "deletionTimestamp") != null) {
      return;
    }
    var problem = problem(resource, found.get());
    if (problem.isEmpty()) {
      state.table(resource).change("", name, door.rules(resource)::takenIn);
    }
    var now = state.times().now();
    state
        .table(resource)
        .changeStatus(
            "",
            name,
            object -> {
              Conditions.put(
                  object,
                  Door.ACCEPTED,
                  problem.isEmpty(),
                  problem.isEmpty() ? "Accepted" : "Refused",
                  problem,
                  now);
              return object;
            });
  }

  /// Something that was refused may be right now that something else has changed.
  boolean wasRefused(Tree object) {
    return !Conditions.refusal(object, Door.ACCEPTED).isEmpty();
  }

  private String problem(Resource resource, Tree object) {
    var rules = door.rules(resource);
    try {
      rules.check(object, rules.isTakenIn(object) ? object : null);
      return "";
    } catch (Refusal e) {
      return e.inWords();
    }
  }
}
