package io.berth.server.registry;

import io.berth.api.ApiException;
import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.ScaleRules;
import java.util.List;
import java.util.Objects;

/// Replica counts as `autoscaling/v1` `Scale` objects, and back.
final class Scales {

  private Scales() {}

  static Tree of(Served served, Tree object) {
    var rules = rules(served);
    var from = object.treeOrEmpty("metadata");
    var meta = new Tree();
    for (var field : new String[] {"name", "namespace", "uid", "resourceVersion"}) {
      meta.put(field, from.textOrEmpty(field));
    }
    meta.put("creationTimestamp", from.get("creationTimestamp"));
    var spec = new Tree();
    if (rules.specReplicas(object) != 0) {
      spec.put("replicas", rules.specReplicas(object));
    }
    var status = Tree.of("replicas", rules.statusReplicas(object));
    var selector = rules.selector(object);
    if (!selector.isEmpty()) {
      status.put("selector", selector);
    }
    return Tree.of(
        "kind", "Scale",
        "apiVersion", "autoscaling/v1",
        "metadata", meta,
        "spec", spec,
        "status", status);
  }

  /// The object with the replica count of the scale, and its revision when the scale has one.
  static Tree applied(Served served, Tree current, Tree scale) {
    long replicas = scale.number(0, "spec", "replicas");
    if (replicas < 0 && !served.isCustom()) {
      var errors = new FieldErrors();
      errors.invalid(
          FieldPath.of("spec", "replicas"), replicas, "must be greater than or equal to 0");
      throw errors.toException("autoscaling", "Scale", current.textOrEmpty("metadata", "name"));
    }
    var object = current.copy();
    rules(served).setSpecReplicas(object, replicas);
    object
        .child("metadata")
        .put("resourceVersion", scale.textOrEmpty("metadata", "resourceVersion"));
    return object;
  }

  /// Refuses to show the scale of an object that does not say how many replicas it wants.
  static void check(Served served, Tree object) {
    if (!rules(served).hasSpecReplicas(object)) {
      var message =
          "the spec replicas field %s does not exist"
              .formatted(FieldError.quoted(rules(served).specReplicasPath()));
      throw new ApiException(
          500,
          "InternalError",
          "Internal error occurred: " + message,
          Tree.of("causes", List.of(Tree.of("message", message))));
    }
  }

  private static ScaleRules rules(Served served) {
    return Objects.requireNonNull(served.kind().strategy().scale());
  }
}
