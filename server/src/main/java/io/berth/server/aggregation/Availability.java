package io.berth.server.aggregation;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Whether another server answers, and why not, in Kubernetes' words.
///
/// Mirrors: kube-aggregator/controllers/status/remote.AvailableConditionController
record Availability(boolean isTrue, String reason, String message) {

  static final Availability PASSED = new Availability(true, "Passed", "all checks passed");

  static Availability missing(String reason, String message) {
    return new Availability(false, reason, message);
  }

  static Availability failed(String url, String why) {
    return missing(
        "FailedDiscoveryCheck", "failing or missing response from %s: %s".formatted(url, why));
  }

  /// The object with this in its status, or `null` when it says so already.
  @Nullable Tree in(Tree object, String now) {
    var condition =
        Tree.of("type", Remote.AVAILABLE, "status", isTrue ? "True" : "False")
            .put("lastTransitionTime", now)
            .put("reason", reason)
            .put("message", message);
    var conditions = new ArrayList<@Nullable Object>();
    boolean found = false;
    for (var old : object.trees("status", "conditions")) {
      if (!old.textOrEmpty("type").equals(Remote.AVAILABLE)) {
        conditions.add(old);
        continue;
      }
      found = true;
      if (Objects.equals(old.text("status"), condition.text("status"))) {
        condition.put("lastTransitionTime", old.text("lastTransitionTime"));
      }
      if (old.equals(condition)) {
        return null;
      }
      conditions.add(condition);
    }
    if (!found) {
      conditions.add(condition);
    }
    var changed = object.copy();
    changed.child("status").put("conditions", conditions);
    return changed;
  }
}
