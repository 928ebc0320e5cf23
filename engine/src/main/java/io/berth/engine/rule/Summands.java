package io.berth.engine.rule;

import io.berth.engine.Summand;
import java.util.List;

/// Of what parts a rule's raw scores for one shape consist: asked only by those who want to see the
/// arithmetic, by node.
@FunctionalInterface
public interface Summands {

  /// Nothing to tell: the score is one part.
  Summands WHOLE = _ -> List.of();

  /// Parts in the order in which they were added; they add up to the raw score.
  List<Summand> of(int node);
}
