package io.berth.server.registry;

import io.berth.api.Resource;
import io.berth.api.Tree;
import org.jspecify.annotations.Nullable;

/// Drops fields of features whose gates are off, without a word, as Kubernetes does.
final class GatedFields {

  private final boolean podGroups;

  GatedFields(Catalog catalog) {
    this.podGroups = catalog.knows(Resource.POD_GROUPS.group(), Resource.POD_GROUPS.version());
  }

  void drop(Resource resource, Tree object) {
    var spec = podGroups ? null : podSpec(resource, object);
    if (spec != null) {
      spec.remove("schedulingGroup");
    }
  }

  private static @Nullable Tree podSpec(Resource resource, Tree object) {
    return switch (resource.group() + "/" + resource.plural()) {
      case "/pods" -> object.tree("spec");
      case "/podtemplates" -> object.tree("template", "spec");
      case "/replicationcontrollers",
          "apps/daemonsets",
          "apps/deployments",
          "apps/replicasets",
          "apps/statefulsets",
          "batch/jobs" ->
          object.tree("spec", "template", "spec");
      case "batch/cronjobs" -> object.tree("spec", "jobTemplate", "spec", "template", "spec");
      default -> null;
    };
  }
}
