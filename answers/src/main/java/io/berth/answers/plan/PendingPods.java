package io.berth.answers.plan;

import io.berth.answers.explain.Explanations;
import io.berth.answers.explain.Explanations.Wish;
import io.berth.answers.explain.PodExplanation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// Why pods wait at the end of a what-if, by the engine as it is then.
///
/// Pods that no rule can tell apart share an answer, under their own names.
final class PendingPods {

  private final ImaginedCluster cluster;

  PendingPods(ImaginedCluster cluster) {
    this.cluster = cluster;
  }

  List<PodExplanation> explain(List<Resident> pods) {
    var explanations =
        new Explanations(new ImaginedSurvey(cluster), cluster.engine(), cluster.plan());
    var labels = new Like.Labels(cluster.engine()::selects);
    var known = new HashMap<Like, PodExplanation>();
    var explained = new ArrayList<PodExplanation>();
    for (var pod : pods) {
      var answer =
          known.computeIfAbsent(
              Like.of(pod.pod(), labels), _ -> explanations.explain(pod, Wish.CAUSES));
      explained.add(answer.of(pod.key()));
    }
    return explained;
  }
}
