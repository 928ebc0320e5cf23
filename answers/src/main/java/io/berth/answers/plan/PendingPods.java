package io.berth.answers.plan;

import io.berth.answers.explain.Explanations;
import io.berth.answers.explain.PodExplanation;
import io.berth.answers.source.Manifest;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// Why pods wait at the end of a what-if.
///
/// Pods that no rule can tell apart share an answer, under their own names.
final class PendingPods {

  private final ImaginedCluster cluster;

  PendingPods(ImaginedCluster cluster) {
    this.cluster = cluster;
  }

  List<PodExplanation> explain(List<Resident> pods) {
    if (pods.isEmpty()) {
      return List.of();
    }
    var explanations = new Explanations(survey());
    var known = new HashMap<Like, PodExplanation>();
    var explained = new ArrayList<PodExplanation>();
    for (var pod : pods) {
      var answer =
          known.computeIfAbsent(
              Like.of(pod.pod()),
              _ -> explanations.explain(surveyed(pod), Explanations.Wish.CAUSES));
      explained.add(answer.of(pod.key()));
    }
    return explained;
  }

  /// The cluster as it is at the end, as if it had told so itself.
  private Survey survey() {
    var manifests = new ArrayList<Manifest>();
    for (var manifest : cluster.manifests()) {
      if (!manifest.kind().equals(Pod.KIND)) {
        manifests.add(Manifest.ofCluster(manifest.tree()));
      }
    }
    cluster.pods().forEach(pod -> manifests.add(surveyed(pod).source()));
    var before = cluster.survey();
    return Survey.of(manifests, before.settings(), before.unread());
  }

  private static SurveyedPod surveyed(Resident pod) {
    var tree = pod.tree();
    if (!tree.textOrEmpty("spec", "nodeName").equals(pod.node())) {
      tree = tree.copy();
      tree.child("spec").put("nodeName", pod.node());
    }
    return SurveyedPod.of(pod.pod(), tree, Manifest.ofCluster(tree));
  }
}
