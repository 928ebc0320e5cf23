package io.berth.admission;

import static io.berth.api.Resource.NODES;
import static io.berth.api.Resource.PODS;

import io.berth.api.Tree;
import java.util.List;

/// Copies the zone and region of a node to the pods bound to it.
///
/// Mirrors: plugin/pkg/admission/podtopologylabels.Plugin
final class PodTopologyLabels implements AdmissionPlugin {

  private static final List<String> KEYS =
      List.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");

  @Override
  public String name() {
    return "PodTopologyLabels";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!request.is(Operation.CREATE)) {
      return;
    }
    var object = request.hasObject() ? request.object() : new Tree();
    if (request.isFor(PODS)) {
      copy(object, object.textOrEmpty("spec", "nodeName"), lookup);
    } else if (request.isFor(PODS, "binding")
        && object.textOrEmpty("target", "kind").equals("Node")) {
      copy(object, object.textOrEmpty("target", "name"), lookup);
    }
  }

  private static void copy(Tree object, String nodeName, Lookup lookup) {
    var node = nodeName.isEmpty() ? null : lookup.find(NODES, "", nodeName);
    if (node == null) {
      return;
    }
    for (var key : KEYS) {
      var value = node.text("metadata", "labels", key);
      if (value != null) {
        object.putAt(value, "metadata", "labels", key);
      }
    }
  }
}
