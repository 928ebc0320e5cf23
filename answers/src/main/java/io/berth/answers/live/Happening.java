package io.berth.answers.live;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;

/// Something that decisions follow from, as a scheduler came to know of it.
public sealed interface Happening {

  /// An object is new or has changed; `revision` is its own, 0 where nobody says.
  record Put(ClusterObject object, long revision) implements Happening {}

  record Removed(ObjectReference reference) implements Happening {}

  /// The pod counts on the node from now on, although its bind is still under way.
  record Assumed(Pod pod, String node) implements Happening {}

  record Forgotten(Pod pod) implements Happening {}

  /// The pod waits for the node; an empty name takes that back.
  record Nominated(Pod pod, String node) implements Happening {}
}
