package io.berth.controllers.runtime;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The `conditions` of a status: read, set, removed by type.
public final class Conditions {

  private Conditions() {}

  public static @Nullable Tree find(Tree object, String type) {
    for (var condition : object.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals(type)) {
        return condition;
      }
    }
    return null;
  }

  public static boolean isTrue(Tree object, String type) {
    var condition = find(object, type);
    return condition != null && condition.textOrEmpty("status").equals("True");
  }

  /// Puts `condition` in place of the one of its type, or at the end. The transition time stays
  /// when the status does. `status` must be mutable.
  public static void set(Tree status, Tree condition, String now) {
    var conditions = mutableList(status);
    var type = condition.textOrEmpty("type");
    for (int i = 0; i < conditions.size(); i++) {
      if (conditions.get(i) instanceof Tree old && old.textOrEmpty("type").equals(type)) {
        var same = Objects.equals(old.text("status"), condition.text("status"));
        var since = same ? old.text("lastTransitionTime") : null;
        condition.put("lastTransitionTime", since == null ? now : since);
        conditions.set(i, condition);
        return;
      }
    }
    condition.putIfAbsent("lastTransitionTime", now);
    conditions.add(condition);
  }

  public static void remove(Tree status, String type) {
    if (status.at("conditions") instanceof List<?>) {
      mutableList(status)
          .removeIf(c -> c instanceof Tree tree && tree.textOrEmpty("type").equals(type));
    }
  }

  public static Tree of(String type, String status, String reason, String message) {
    var condition = Tree.of("type", type, "status", status);
    if (!reason.isEmpty()) {
      condition.put("reason", reason);
    }
    if (!message.isEmpty()) {
      condition.put("message", message);
    }
    return condition;
  }

  private static List<@Nullable Object> mutableList(Tree status) {
    if (!(status.at("conditions") instanceof ArrayList<?>)) {
      status.put("conditions", new ArrayList<@Nullable Object>(status.list("conditions")));
    }
    return status.childList("conditions");
  }
}
