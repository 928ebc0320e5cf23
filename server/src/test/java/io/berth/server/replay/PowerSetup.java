package io.berth.server.replay;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// Whom the table of power is about, and what is created before they are asked: `power-setup.json`.
record PowerSetup(List<Tree> identities, List<Tree> steps) {

  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

  static PowerSetup read() {
    try (var in = PowerSetup.class.getResourceAsStream("power-setup.json")) {
      var setup = Json.read(in.readAllBytes());
      var steps = new ArrayList<Tree>();
      setup.trees("setup").forEach(step -> steps.add(request(step)));
      return new PowerSetup(setup.trees("identities"), steps);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A `role` and a `bind` are short for the objects they name.
  private static Tree request(Tree step) {
    if (step.has("role")) {
      var role =
          Tree.of("metadata", Tree.of("name", step.get("role"), "labels", step.get("labels")));
      for (var field : List.of("rules", "aggregationRule")) {
        if (step.has(field)) {
          role.put(field, step.get(field));
        }
      }
      return Tree.of("path", RBAC + "clusterroles", "body", role);
    }
    return step.has("bind") ? binding(step) : step;
  }

  private static Tree binding(Tree step) {
    var user = step.textOrEmpty("to");
    var namespace = step.textOrEmpty("in");
    var subject = Tree.of("kind", "User", "apiGroup", "rbac.authorization.k8s.io", "name", user);
    var role =
        Tree.of("kind", "ClusterRole", "apiGroup", "rbac.authorization.k8s.io")
            .put("name", step.get("bind"));
    var body =
        Tree.of("metadata", Tree.of("name", "power-" + user.replace(':', '-')))
            .put("subjects", List.of(subject))
            .put("roleRef", role);
    var path =
        namespace.isEmpty()
            ? "clusterrolebindings"
            : "namespaces/%s/rolebindings".formatted(namespace);
    return Tree.of("path", RBAC + path, "body", body);
  }

  /// As the recorder reads it.
  String line() {
    return Json.text(Tree.of("identities", identities, "setup", steps));
  }
}
