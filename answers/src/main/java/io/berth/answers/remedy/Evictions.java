package io.berth.answers.remedy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The pods to blame on a node may go, where pods are all that is in the way.
final class Evictions {

  private static final int MAX_SETS = 40;

  /// Nobody evicts so many pods for one.
  private static final int MAX_PODS = 20;

  private Evictions() {}

  static List<Family> find(Question question) {
    var sets = new LinkedHashSet<Set<String>>();
    for (var node : question.nodes().keySet()) {
      var blamed = blamed(question, node);
      if (blamed != null && blamed.size() <= MAX_PODS) {
        sets.add(blamed);
      }
    }
    var fewestFirst = new ArrayList<>(sets);
    fewestFirst.sort(Comparator.comparingInt(Set::size));
    return fewestFirst.stream()
        .limit(MAX_SETS)
        .map(pods -> new Remedy.Evict(List.copyOf(pods), isForGood(question, pods)))
        .map(remedy -> Family.of(List.of(remedy)))
        .toList();
  }

  /// Whether somebody among them has no owner who would make it anew.
  private static boolean isForGood(Question question, Set<String> pods) {
    return pods.stream()
        .anyMatch(key -> {
          int slash = key.indexOf('/');
          var pod = question.survey().findPod(key.substring(0, slash), key.substring(slash + 1));
          return pod.isPresent() && pod.get().pod().controller() == null;
        });
  }

  private static @Nullable Set<String> blamed(Question question, String node) {
    var pods = new TreeSet<String>();
    for (var obstacle : question.on(node)) {
      var blame = obstacle.blame();
      if (blame == null || blame.pods().size() > MAX_PODS) {
        return null;
      }
      pods.addAll(blame.pods());
    }
    return pods.isEmpty() ? null : pods;
  }
}
