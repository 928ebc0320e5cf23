package io.berth.answers.remedy;

import io.berth.api.Tree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The pod may be more important: the least priority that has another pod make room.
final class Priorities {

  /// What is above is Kubernetes' own. As in Kubernetes.
  private static final int HIGHEST = 1_000_000_000;

  private Priorities() {}

  static List<Family> find(Question question) {
    var pod = question.pod();
    if (pod.spec().neverPreempts()) {
      return List.of();
    }
    var values = new TreeSet<Integer>();
    for (var other : question.survey().pods()) {
      int above = Math.min(other.pod().priority(), HIGHEST - 1) + 1;
      if (!other.isWaiting() && above > pod.priority() && other.pod().priority() < HIGHEST) {
        values.add(above);
      }
    }
    var classes = classes(question);
    return List.of(
        Family.of(
            values.stream().map(value -> new Raise(value, classes.get((long) value))).toList()));
  }

  /// A class of just this priority, where there is one that preempts.
  private static Map<Long, String> classes(Question question) {
    var classes = new HashMap<Long, String>();
    for (var manifest : question.survey().manifests("PriorityClass")) {
      var tree = manifest.tree();
      if (!tree.textOrEmpty("preemptionPolicy").equals("Never")) {
        classes.putIfAbsent(tree.number(0, "value"), manifest.name());
      }
    }
    return classes;
  }

  /// The pod gets a class of this priority; `known` is `null` where one has to be made first.
  record Raise(int value, @Nullable String known) implements Remedy.OfPod {

    @Override
    public String what() {
      return "priority " + value;
    }

    @Override
    public int loss() {
      return 1;
    }

    String className() {
      return Objects.requireNonNullElse(known, "berth-" + value);
    }

    @Override
    public boolean edit(Tree spec) {
      spec.put("priority", (long) value);
      return true;
    }

    // The number follows from the class when the pod is made.
    @Override
    public boolean editTemplate(Tree spec) {
      spec.remove("priority");
      spec.remove("preemptionPolicy");
      spec.put("priorityClassName", className());
      return true;
    }
  }
}
