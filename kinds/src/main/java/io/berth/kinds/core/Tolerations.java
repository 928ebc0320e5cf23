package io.berth.kinds.core;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashSet;
import java.util.List;

/// The rules of tolerations and of the taints they answer.
public final class Tolerations {

  static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  private Tolerations() {}

  public static void validate(List<Tree> tolerations, FieldPath path, FieldErrors errors) {
    for (int i = 0; i < tolerations.size(); i++) {
      validate(tolerations.get(i), path.index(i), errors);
    }
  }

  private static void validate(Tree toleration, FieldPath path, FieldErrors errors) {
    var key = toleration.textOrEmpty("key");
    var operator = toleration.textOrEmpty("operator");
    var effect = toleration.textOrEmpty("effect");
    if (!key.isEmpty()) {
      ObjectMeta.validateLabelName(key, path.child("key"), errors);
    } else if (!operator.equals("Exists")) {
      errors.invalid(
          path.child("operator"),
          operator,
          "operator must be Exists when `key` is empty, which means \"match all values and all"
              + " keys\"");
    }
    if (toleration.get("tolerationSeconds") != null && !effect.equals("NoExecute")) {
      errors.invalid(
          path.child("effect"),
          effect,
          "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    operator(operator, toleration.textOrEmpty("value"), path.child("operator"), errors);
    if (!effect.isEmpty()) {
      Checks.supported(path.child("effect"), effect, EFFECTS, errors);
    }
  }

  // Kubernetes reports a bad value at the operator.
  private static void operator(String operator, String value, FieldPath path, FieldErrors errors) {
    switch (operator) {
      case "Equal", "" -> {
        var wrong = Names.labelValue(value);
        if (!wrong.isEmpty()) {
          errors.invalid(path, value, String.join(";", wrong));
        }
      }
      case "Exists" -> {
        if (!value.isEmpty()) {
          errors.invalid(path, value, "value must be empty when `operator` is 'Exists'");
        }
      }
      case "Lt", "Gt" ->
          errors.notSupported(path, operator, List.of("Equal", "Exists", "Lt", "Gt"));
      default -> errors.notSupported(path, operator, List.of("Equal", "Exists"));
    }
  }

  /// On an update, tolerations may be added, and `tolerationSeconds` may change.
  static void validateOnlyAdded(
      List<Tree> tolerations, List<Tree> old, FieldPath path, FieldErrors errors) {
    for (var before : old) {
      if (tolerations.stream().noneMatch(each -> isSameButSeconds(each, before))) {
        errors.forbidden(
            path, "existing toleration can not be modified except its tolerationSeconds");
        return;
      }
    }
    validate(tolerations, path, errors);
  }

  private static boolean isSameButSeconds(Tree a, Tree b) {
    for (var field : List.of("key", "operator", "value", "effect")) {
      if (!a.textOrEmpty(field).equals(b.textOrEmpty(field))) {
        return false;
      }
    }
    return true;
  }

  /// The taints of a node.
  static void validateTaints(List<Tree> taints, FieldPath path, FieldErrors errors) {
    var seen = new HashSet<String>();
    for (int i = 0; i < taints.size(); i++) {
      var taint = taints.get(i);
      var at = path.index(i);
      var key = taint.textOrEmpty("key");
      var value = taint.textOrEmpty("value");
      var effect = taint.textOrEmpty("effect");
      ObjectMeta.validateLabelName(key, at.child("key"), errors);
      var wrong = Names.labelValue(value);
      if (!wrong.isEmpty()) {
        errors.invalid(at.child("value"), value, String.join(";", wrong));
      }
      Checks.oneOf(at.child("effect"), effect, EFFECTS, errors);
      if (!seen.add(key + "\n" + effect)) {
        errors.add(
            FieldError.duplicate(
                at, GoStructs.TAINT.of(taint), "taints must be unique by key and effect pair"));
      }
    }
  }
}
