package io.berth.kinds.apps;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import java.util.List;

/// Rules about the numbers in a controller's spec and status.
final class Counts {

  static final FieldPath SPEC = FieldPath.of("spec");
  static final FieldPath STATUS = FieldPath.of("status");
  static final String TOO_MANY = "cannot be greater than status.replicas";

  private Counts() {}

  /// None of these fields may be negative.
  static void notNegative(Tree tree, FieldPath path, List<String> fields, FieldErrors errors) {
    for (var field : fields) {
      Checks.nonNegative(path.child(field), tree.number(0, field), errors);
    }
  }

  /// None of these counts may be greater than the count of replicas.
  static void withinReplicas(Tree status, List<String> fields, FieldErrors errors) {
    long replicas = status.number(0, "replicas");
    for (var field : fields) {
      long count = status.number(0, field);
      if (count > replicas) {
        errors.invalid(STATUS.child(field), count, TOO_MANY);
      }
    }
  }

  static void availableWithinReady(Tree status, String ready, FieldErrors errors) {
    long available = status.number(0, "availableReplicas");
    if (available > status.number(0, "readyReplicas")) {
      errors.invalid(
          STATUS.child("availableReplicas"), available, "cannot be greater than " + ready);
    }
  }

  static void collisionsNotDecremented(Tree object, Tree old, FieldErrors errors) {
    long collisions = object.number(0, "status", "collisionCount");
    if (collisions < old.number(0, "status", "collisionCount")) {
      errors.invalid(STATUS.child("collisionCount"), collisions, "cannot be decremented");
    }
  }
}
