package io.berth.kinds.core;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// The quality of service class that follows from what a pod requests and may use.
public final class PodQos {

  private static final String BEST_EFFORT = "BestEffort";
  private static final String BURSTABLE = "Burstable";
  private static final String GUARANTEED = "Guaranteed";

  private PodQos() {}

  public static String of(Tree spec) {
    if (PodLevelDefaults.isSet(spec)) {
      return of(List.of(spec.treeOrEmpty("resources")));
    }
    var all = new ArrayList<Tree>();
    for (var list : List.of("initContainers", "containers")) {
      spec.trees(list).forEach(container -> all.add(container.treeOrEmpty("resources")));
    }
    return of(all);
  }

  /// One class for all, or Burstable where they differ.
  private static String of(List<Tree> requirements) {
    var classes = new HashSet<String>();
    for (var resources : requirements) {
      if (resources.treeOrEmpty("requests").isEmpty()
          && resources.treeOrEmpty("limits").isEmpty()) {
        classes.add(BEST_EFFORT);
      } else {
        classes.add(ofResource(resources, "cpu"));
        classes.add(ofResource(resources, "memory"));
      }
    }
    return switch (classes.size()) {
      case 0 -> BEST_EFFORT;
      case 1 -> classes.iterator().next();
      default -> BURSTABLE;
    };
  }

  private static String ofResource(Tree resources, String name) {
    var request = ResourceLists.quantity(resources.at("requests", name));
    var limit = ResourceLists.quantity(resources.at("limits", name));
    if (request.compareTo(limit) != 0) {
      return BURSTABLE;
    }
    return request.isZero() ? BEST_EFFORT : GUARANTEED;
  }
}
