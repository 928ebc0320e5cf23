package io.berth.conformance;

import io.berth.api.Tree;
import org.jspecify.annotations.Nullable;

/// Something that lives through a case and answers its decisions: the engine, or an oracle.
public interface Respondent {

  /// Starts anew with the configuration and the objects of the case.
  void begin(Case start);

  void apply(Step.Event event);

  /// The answer for a pending pod, in the form of `expect`. A pod that is nominated stops being so.
  Tree decide(Tree pod);

  /// The pod just decided runs on `node` from now on.
  void place(Tree pod, String node, @Nullable String startTime);

  /// The pod just decided was not placed and exists no more.
  void discard(Tree pod);
}
