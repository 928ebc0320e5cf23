package io.berth.engine;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where a pod goes, or why it cannot go anywhere now.
public sealed interface Decision {

  /// The best of `feasible` nodes; ties fall to the engine's seeded rule.
  record Placed(String node, int feasible) implements Decision {}

  /// No node takes the pod. `message` is that of the FailedScheduling event; `rejectors` are the
  /// plugins whose queueing hints may wake the pod; `preemption` is what PostFilter found, absent
  /// when it did not run.
  record Unschedulable(String message, Set<String> rejectors, @Nullable Preemption preemption)
      implements Decision {

    public Unschedulable {
      rejectors = Set.copyOf(rejectors);
    }
  }

  /// The cycle ended with an error: the pod's own spec made a plugin fail, or a rule broke.
  record Failed(String error) implements Decision {}
}
