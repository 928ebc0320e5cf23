package io.berth.server.replay;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// An object of every kind, named `x`: one that Kubernetes was recorded to accept, or else the bare
/// minimum, which can be stored but not written.
final class Samples {

  private static final List<String> THEMES =
      List.of("defaulting", "admission", "differential", "crds");

  private final Map<String, Tree> recorded = new HashMap<>();

  Samples() {
    for (var theme : THEMES) {
      for (var scenario : Scenario.read(theme)) {
        var first = scenario.steps().getFirst();
        if (first.textOrEmpty("method").equals("POST")
            && first.get("body") instanceof Tree body
            && first.number(0, "expect", "code") == 201
            && !first.has("user")) {
          var path = first.textOrEmpty("path").replace("/namespaces/{ns}", "").split("\\?", 2)[0];
          recorded.putIfAbsent(path, body);
        }
      }
    }
  }

  Tree of(Resource resource, String namespace, String name) {
    var sample =
        recorded
            .getOrDefault(root(resource) + resource.plural(), new Tree())
            .copy()
            .put("apiVersion", resource.apiVersion())
            .put("kind", resource.kind());
    var metadata = sample.child("metadata").put("name", name);
    metadata.remove("generateName");
    if (resource.namespaced()) {
      metadata.put("namespace", namespace);
    }
    return sample;
  }

  /// The path that all paths of a group and version begin with.
  static String root(Resource resource) {
    return (resource.group().isEmpty() ? "/api/" : "/apis/" + resource.group() + "/")
        + resource.version()
        + "/";
  }
}
