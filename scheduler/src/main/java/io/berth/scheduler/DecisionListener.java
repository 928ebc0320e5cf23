package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Engine;

/// Hears of every decision before it is acted on; for journals.
public interface DecisionListener {

  DecisionListener NONE = (_, _, _) -> {};

  /// On the loop's thread, which waits. `engine` still is as it was for the decision; it may be
  /// asked, not changed.
  void decided(Pod pod, Decision decision, Engine engine);
}
