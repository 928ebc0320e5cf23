package io.berth.answers.plan;

import io.berth.api.Pod;
import io.berth.api.PodSpec;
import java.util.Map;

/// What placement reads of a pod that waits: pods of which it is equal are judged alike.
record Like(String namespace, Map<String, String> labels, PodSpec spec, String owner) {

  static Like of(Pod pod) {
    var controller = pod.controller();
    return new Like(
        pod.namespace(),
        pod.labels(),
        pod.spec(),
        controller == null ? "" : controller.kind() + "/" + controller.name());
  }
}
