package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.HashSet;
import java.util.List;

/// The rules of tolerations and of the taints they answer.
///
/// Mirrors: core/validation.ValidateTolerations, validateNodeTaints
public final class Tolerations {

  static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  private Tolerations() {}

  public static void validate(Cursor tolerations) {
    tolerations.each().forEach(Tolerations::validateOne);
  }

  private static void validateOne(Cursor toleration) {
    var effect = toleration.at("effect");
    if (!toleration.text("key").isEmpty()) {
      toleration.at("key").follows(Names::qualifiedName);
    } else if (!toleration.text("operator").equals("Exists")) {
      toleration
          .at("operator")
          .invalidText(
              "operator must be Exists when `key` is empty, which means \"match all values and all"
                  + " keys\"");
    }
    if (toleration.has("tolerationSeconds") && !effect.is("NoExecute")) {
      effect.invalidText("effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    operator(toleration.at("operator"), toleration.text("value"));
    effect.ifFilled().supported(EFFECTS);
  }

  // Kubernetes reports a bad value at the operator.
  private static void operator(Cursor operator, String value) {
    switch (operator.text()) {
      case "Equal", "" -> {
        var wrong = Names.labelValue(value);
        if (!wrong.isEmpty()) {
          operator.invalid(value, String.join(";", wrong));
        }
      }
      case "Exists" -> {
        if (!value.isEmpty()) {
          operator.invalid(value, "value must be empty when `operator` is 'Exists'");
        }
      }
      case "Lt", "Gt" -> operator.notSupported(List.of("Equal", "Exists", "Lt", "Gt"));
      default -> operator.notSupported(List.of("Equal", "Exists"));
    }
  }

  /// On an update, tolerations may be added, and `tolerationSeconds` may change.
  static void validateOnlyAdded(Cursor tolerations, List<Tree> old) {
    var now = tolerations.each();
    for (var before : old) {
      if (now.stream().noneMatch(each -> isSameButSeconds(each.tree(), before))) {
        tolerations.forbidden(
            "existing toleration can not be modified except its tolerationSeconds");
        return;
      }
    }
    validate(tolerations);
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
  static void validateTaints(Cursor taints) {
    var seen = new HashSet<String>();
    for (var taint : taints.each()) {
      taint.at("key").follows(Names::qualifiedName);
      var wrong = Names.labelValue(taint.text("value"));
      if (!wrong.isEmpty()) {
        taint.at("value").invalidText(String.join(";", wrong));
      }
      taint.at("effect").oneOf(EFFECTS);
      if (!seen.add(taint.text("key") + "\n" + taint.text("effect"))) {
        taint.duplicate(
            GoStructs.TAINT.of(taint.tree()), "taints must be unique by key and effect pair");
      }
    }
  }
}
