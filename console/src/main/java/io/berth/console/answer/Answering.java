package io.berth.console.answer;

import io.berth.answers.explain.Explanations;
import io.berth.answers.explain.PodExplanation;
import io.berth.answers.live.LiveCluster.Moment;
import java.util.Optional;
import java.util.function.Function;

/// An engine beside the scheduler's that questions are put to. It may be asked by many at once, and
/// answers one after the other.
public interface Answering {

  /// Answers with the cluster as it is now; `question` leaves the engine as it was.
  <T> T ask(Function<Moment, T> question);

  /// Nothing if there is no such pod.
  default Optional<PodExplanation> explain(String namespace, String name, Explanations.Wish wish) {
    return ask(now ->
        now.survey()
            .findPod(namespace, name)
            .map(pod -> new Explanations(now.survey(), now.engine()).explain(pod, wish)));
  }
}
