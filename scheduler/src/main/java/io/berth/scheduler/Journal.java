package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.engine.Decision;

/// Hears of everything that decisions follow from, and of the decisions, in the order in which the
/// loop acts. Called on the loop's thread, which waits.
public interface Journal {

  Journal NONE = new Journal() {};

  /// An object is new or has changed.
  default void put(Tree object) {}

  default void removed(Tree object) {}

  /// The engine decided; with `extended`, extenders had a say.
  default void decided(Pod pod, Decision decision, boolean extended) {}

  /// From now on the pod counts on the node, until an object says so or [#forgotten] is called.
  default void assumed(Pod pod, String node) {}

  default void forgotten(Pod pod) {}

  /// The pod waits for the node; an empty name takes that back.
  default void nominated(Pod pod, String node) {}
}
