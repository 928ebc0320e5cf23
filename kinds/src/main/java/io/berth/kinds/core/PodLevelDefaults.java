package io.berth.kinds.core;

import io.berth.api.PodResources;
import io.berth.api.ResourceList;
import io.berth.api.Tree;

/// Resources of a pod as a whole are completed from those of its containers.
///
/// Mirrors: api/pod.DefaultPodLevelResources
final class PodLevelDefaults {

  private PodLevelDefaults() {}

  static void apply(Tree spec) {
    var resources = spec.tree("resources");
    if (resources == null
        || (resources.treeOrEmpty("requests").isEmpty()
            && resources.treeOrEmpty("limits").isEmpty())) {
      return;
    }
    hugePageLimits(spec, resources);
    requests(spec, resources);
    limits(spec, resources);
  }

  private static void hugePageLimits(Tree spec, Tree resources) {
    PodResources.containerLimits(spec)
        .forEach((name, sum) -> {
          if (ResourceNames.isHugePages(name)
              && !resources.treeOrEmpty("requests").has(name)
              && !resources.treeOrEmpty("limits").has(name)) {
            resources.child("limits").put(name, sum.toString());
          }
        });
  }

  private static void requests(Tree spec, Tree resources) {
    PodResources.containerRequests(spec)
        .forEach((name, sum) -> {
          if (PodResources.isPodLevel(name)
              && ResourceNames.isOvercommitAllowed(name)
              && !resources.treeOrEmpty("requests").has(name)) {
            resources.child("requests").put(name, sum.toString());
          }
        });
    resources
        .treeOrEmpty("limits")
        .fields()
        .forEach((name, limit) -> {
          if (PodResources.isPodLevel(name)) {
            resources.child("requests").putIfAbsent(name, limit);
          }
        });
  }

  // A limit follows only where every container has one: otherwise the pod could use more.
  private static void limits(Tree spec, Tree resources) {
    var sums = PodResources.containerLimits(spec);
    ResourceList.read(resources.tree("requests"))
        .forEach((name, request) -> {
          var sum = sums.get(name);
          if (sum != null
              && PodResources.isPodLevel(name)
              && !resources.treeOrEmpty("limits").has(name)
              && allContainersLimit(spec, name)) {
            var limit = request.compareTo(sum) > 0 ? request : sum;
            resources.child("limits").put(name, limit.toString());
          }
        });
  }

  private static boolean allContainersLimit(Tree spec, String name) {
    for (var list : Containers.LISTS) {
      for (var container : spec.trees(list)) {
        if (container.at("resources", "limits", name) == null) {
          return false;
        }
      }
    }
    return true;
  }
}
