package io.berth.answers.source;

import io.berth.api.Pod;
import io.berth.api.Tree;

/// A pod of a survey: as the engine knows it, the object it was read from, and the manifest that
/// came from, which is the pod itself or, for a pod that is yet to be made, whose template it is.
public interface SurveyedPod {

  Pod pod();

  Tree tree();

  Manifest source();

  static SurveyedPod of(Pod pod, Tree tree, Manifest source) {
    return new WrittenPod(pod, tree, source);
  }

  /// Whether nobody has made it yet.
  default boolean isOfTemplate() {
    return !source().kind().equals(Pod.KIND);
  }

  default boolean isWaiting() {
    var pod = pod();
    return pod.nodeName().isEmpty() && !pod.isFinished() && !pod.terminating();
  }
}
