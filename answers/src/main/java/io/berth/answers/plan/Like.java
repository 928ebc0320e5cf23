package io.berth.answers.plan;

import io.berth.api.Pod;
import io.berth.api.PodSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// What placement reads of a pod that waits: pods of which it is equal are judged alike.
///
/// @param labels those that some selector looks at
record Like(String namespace, Map<String, String> labels, PodSpec spec, String owner) {

  static Like of(Pod pod, Labels labels) {
    var controller = pod.controller();
    return new Like(
        pod.namespace(),
        labels.of(pod),
        pod.spec(),
        controller == null ? "" : controller.kind() + "/" + controller.name());
  }

  /// Knows which labels of pods matter: a pod of a StatefulSet has one with its own name, at which
  /// nobody looks.
  static final class Labels {

    private final Predicate<String> matters;
    private final Set<String> ignored = new HashSet<>();

    /// `matters` may come to say yes to a key, as rules come in sight, and never back.
    Labels(Predicate<String> matters) {
      this.matters = matters;
    }

    Map<String, String> of(Pod pod) {
      var read = new HashMap<String, String>();
      pod.labels()
          .forEach((key, value) -> {
            if (matters.test(key)) {
              read.put(key, value);
            } else {
              ignored.add(key);
            }
          });
      return read.size() == pod.labels().size() ? pod.labels() : read;
    }

    /// Whether a label matters that did not so far; each is told once.
    boolean haveChanged() {
      return ignored.removeIf(matters);
    }
  }
}
