package io.berth.kinds.custom;

import io.berth.api.Tree;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// The conditions of definitions: `NamesAccepted`, `Established`, `Terminating`.
public final class DefinitionConditions {

  /// The finalizer that keeps a definition until its objects are gone.
  public static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  private DefinitionConditions() {}

  public static boolean isTrue(Tree definition, String type) {
    for (var condition : definition.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals(type)) {
        return condition.textOrEmpty("status").equals("True");
      }
    }
    return false;
  }

  /// Sets a condition; its time changes only when its status does.
  public static void set(
      Tree definition, String type, boolean value, String reason, String message, Instant now) {
    var status = value ? "True" : "False";
    var condition =
        Tree.of(
            "type",
            type,
            "status",
            status,
            "lastTransitionTime",
            now.truncatedTo(ChronoUnit.SECONDS).toString(),
            "reason",
            reason,
            "message",
            message);
    var conditions = definition.child("status").childList("conditions");
    for (int i = 0; i < conditions.size(); i++) {
      if (conditions.get(i) instanceof Tree old && old.textOrEmpty("type").equals(type)) {
        if (old.textOrEmpty("status").equals(status)) {
          condition.put("lastTransitionTime", old.get("lastTransitionTime"));
        }
        conditions.set(i, condition);
        return;
      }
    }
    conditions.add(condition);
  }
}
