package io.berth.answers.explain;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Origin;
import io.berth.answers.source.Survey;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.util.ArrayList;
import java.util.List;

/// A cluster told in short YAML.
final class Scenery {

  private final List<Manifest> manifests = new ArrayList<>();

  /// A node of zone `zone` with four cores; `spec` is added to its spec.
  Scenery node(String name, String zone, String spec) {
    var labels = Tree.of("kubernetes.io/hostname", name, "zone", zone);
    var offers = Tree.of("cpu", "4", "memory", "8Gi", "pods", "10");
    return add(
        Tree.of("apiVersion", "v1", "kind", "Node")
            .put("metadata", Tree.of("name", name, "labels", labels))
            .put("spec", Yaml.read("{" + spec + "}"))
            .put("status", Tree.of("allocatable", offers)));
  }

  /// A pod that asks for so much cpu; on a node unless that is empty.
  Scenery pod(String key, String node, String cpu, String spec) {
    var names = key.split("/", 2);
    var tree = Yaml.read("{" + spec + "}");
    if (!node.isEmpty()) {
      tree.put("nodeName", node);
    }
    var requests = Tree.of("requests", Tree.of("cpu", cpu));
    tree.put("containers", List.of(Tree.of("name", "app", "image", "x", "resources", requests)));
    var labels = Tree.of("app", names[1].split("-", 2)[0]);
    return add(
        Tree.of("apiVersion", "v1", "kind", "Pod")
            .put("metadata", Tree.of("namespace", names[0], "name", names[1], "labels", labels))
            .put("spec", tree));
  }

  /// The last object belongs to this one.
  Scenery ownedBy(String kind, String name) {
    var tree = manifests.removeLast().tree().copy();
    var owner = Tree.of("apiVersion", "apps/v1", "kind", kind, "name", name, "controller", true);
    tree.child("metadata").put("ownerReferences", List.of(owner));
    return add(tree);
  }

  Scenery add(String yaml) {
    return add(Yaml.read(yaml));
  }

  Scenery add(Tree tree) {
    manifests.add(new Manifest(tree, new Origin("test", manifests.size() + 1)));
    return this;
  }

  Survey survey() {
    return Survey.of(manifests);
  }

  PodExplanation explain(String key) {
    var names = key.split("/", 2);
    var survey = survey();
    var pod = survey.findPod(names[0], names[1]).orElseThrow();
    return new Explanations(survey).explain(pod, Explanations.Wish.SUGGESTIONS);
  }
}
