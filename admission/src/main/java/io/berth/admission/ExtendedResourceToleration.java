package io.berth.admission;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Lets pods that ask for a device onto nodes that are tainted with the device's name.
///
/// Mirrors: plugin/pkg/admission/extendedresourcetoleration.plugin
final class ExtendedResourceToleration implements AdmissionPlugin {

  @Override
  public String name() {
    return "ExtendedResourceToleration";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!Pods.isWrittenBy(request)) {
      return;
    }
    var spec = request.object().child("spec");
    var resources = new TreeSet<String>();
    for (var list : List.of("containers", "initContainers")) {
      for (var container : spec.trees(list)) {
        container.treeOrEmpty("resources", "requests").names().stream()
            .filter(Pods::isExtendedResource)
            .forEach(resources::add);
      }
    }
    resources.forEach(resource -> tolerate(spec, resource));
  }

  private static void tolerate(Tree spec, String resource) {
    var wanted = Pods.tolerationOf(resource, "NoSchedule");
    var tolerations = new ArrayList<@Nullable Object>();
    boolean found = false;
    for (var toleration : spec.trees("tolerations")) {
      boolean same = isSame(toleration, wanted);
      tolerations.add(same ? wanted : toleration);
      found |= same;
    }
    if (!found) {
      tolerations.add(wanted);
    }
    spec.put("tolerations", tolerations);
  }

  private static boolean isSame(Tree toleration, Tree wanted) {
    return List.of("key", "effect", "operator", "value").stream()
        .allMatch(field -> toleration.textOrEmpty(field).equals(wanted.textOrEmpty(field)));
  }
}
