package io.berth.testing;

import io.berth.api.Tree;
import java.util.List;

/// Objects that are valid and boring; tests change what matters to them with `putAt`.
public final class Samples {

  private Samples() {}

  public static Tree aPod(String name) {
    return Tree.of("apiVersion", "v1", "kind", "Pod")
        .put("metadata", Tree.of("name", name, "namespace", "default"))
        .put("spec", podSpec());
  }

  public static Tree podSpec() {
    return Tree.of(
        "containers",
        List.of(Tree.of("name", "app", "image", "example/app:1")),
        "restartPolicy",
        "Always");
  }

  public static Tree aNode(String name) {
    return Tree.of("apiVersion", "v1", "kind", "Node")
        .put("metadata", Tree.of("name", name))
        .put("spec", new Tree());
  }

  /// A workload with `replicas` and pods labelled `app: <name>`.
  public static Tree aWorkload(String kind, String name, long replicas) {
    var labels = Tree.of("app", name);
    return Tree.of("apiVersion", "apps/v1", "kind", kind)
        .put("metadata", Tree.of("name", name, "namespace", "default"))
        .put(
            "spec",
            Tree.of("replicas", replicas)
                .put("selector", Tree.of("matchLabels", labels))
                .put(
                    "template",
                    Tree.of("metadata", Tree.of("labels", labels.copy()), "spec", podSpec())));
  }
}
