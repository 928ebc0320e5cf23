package io.berth.scheduler;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.engine.Decision;
import io.berth.engine.Extension.Answers;
import io.berth.engine.Scored;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Hears of everything that decisions follow from, and of the decisions, in the order in which the
/// loop acts. Called on the loop's thread, which waits.
public interface Journal {

  Journal NONE = new Journal() {};

  /// Two that hear the same.
  default Journal and(Journal other) {
    return new BothJournals(this, other);
  }

  /// An object is new or has changed; `written` is what it was read from.
  default void put(ClusterObject object, Tree written) {}

  default void removed(ObjectReference reference) {}

  /// The engine decided. `best`, asked at once, says which nodes came out best for the pod.
  default void decided(Pod pod, Decision decision, Function<Pod, List<Scored>> best) {}

  /// Extenders had a say in the decision; `said` is absent when one of them ended it.
  default void extended(Pod pod, Decision decision, @Nullable Answers said) {}

  /// The pods of a group were decided about, each with those before it in place, as far as there
  /// are decisions; `said` is what extenders said, by pod. What is kept of it is assumed pod by
  /// pod.
  default void groupDecided(List<Pod> pods, List<Decision> decisions, Map<String, Answers> said) {}

  /// From now on the pod counts on the node, until an object says so or [#forgotten] is called.
  default void assumed(Pod pod, String node) {}

  default void forgotten(Pod pod) {}

  /// The pod waits for the node; an empty name takes that back.
  default void nominated(Pod pod, String node) {}
}
