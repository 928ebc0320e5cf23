package io.berth.answers.plan;

import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.engine.Decision;
import java.util.function.Supplier;

/// Hears everything that the engine of a what-if is told and decides, in order.
public interface Chronicle {

  Chronicle NONE = new Chronicle() {};

  /// `object` is worked out only for who asks.
  default void put(Supplier<Tree> object) {}

  default void removed(ObjectReference object) {}

  default void decided(Pod pod, Decision decision) {}

  default void assumed(Pod pod, String node) {}

  default void nominated(Pod pod, String node) {}
}
