package io.berth.answers.plan;

import io.berth.answers.explain.PodExplanation;
import io.berth.api.Tree;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The answer to `berth capacity`: how many more of a pod fit, where, and what stops the next.
///
/// @param by of each label that the pod's rules or zones go by, how many land in each domain
/// @param next absent when counting was ended before a pod was refused
public record Capacity(
    String pod, long count, Map<String, Map<String, Long>> by, @Nullable PodExplanation next) {

  public Capacity {
    by = Map.copyOf(by);
  }

  public Tree toTree() {
    var domains = new Tree();
    new TreeMap<>(by).forEach((key, counts) -> domains.put(key, Tree.ofMap(new TreeMap<>(counts))));
    var tree = Tree.of("apiVersion", PodExplanation.API_VERSION, "kind", "Capacity");
    tree.put("pod", pod).put("count", count).put("by", domains);
    return next == null ? tree : tree.put("next", next.toTree());
  }
}
