package io.berth.kinds.core;

import io.berth.api.Tree;
import java.util.List;

/// Whether a container that ended may be started again.
///
/// Mirrors: core/validation.ValidateContainerStateTransition
public final class ContainerRestarts {

  private ContainerRestarts() {}

  /// The container's own rules decide first, then its policy, then the pod's.
  public static boolean mayRestart(Tree container, Tree spec, long exitCode) {
    for (var rule : container.trees("restartPolicyRules")) {
      var codes = rule.tree("exitCodes");
      if (codes != null && matches(codes, exitCode)) {
        return rule.textOrEmpty("action").startsWith("Restart");
      }
    }
    var own = container.textOrEmpty("restartPolicy");
    return switch (own.isEmpty() ? spec.textOrEmpty("restartPolicy") : own) {
      case "Always" -> true;
      case "OnFailure" -> exitCode != 0;
      default -> false;
    };
  }

  private static boolean matches(Tree codes, long exitCode) {
    boolean listed = codes.list("values").contains(exitCode);
    return codes.textOrEmpty("operator").equals("In") == listed;
  }

  /// Whether one container's end may restart them all.
  static boolean mayRestartAll(Tree spec) {
    for (var list : List.of("containers", "initContainers")) {
      for (var container : spec.trees(list)) {
        for (var rule : container.trees("restartPolicyRules")) {
          if (rule.textOrEmpty("action").equals("RestartAllContainers")) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
