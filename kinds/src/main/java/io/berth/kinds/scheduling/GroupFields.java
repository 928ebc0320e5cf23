package io.berth.kinds.scheduling;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Unions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a pod group and the template of one have in common: policy, disruption mode, priority.
///
/// `old` is `null` for what is new. What an update leaves alone is not looked at again.
record GroupFields(FieldPath path, Tree group, @Nullable Tree old, FieldErrors errors) {

  private static final long HIGHEST_OF_USERS = 1_000_000_000;
  private static final List<String> POLICIES = List.of("basic", "gang");
  private static final List<String> MODES = List.of("single", "all");

  /// Behind feature gates that are off, as in Kubernetes: dropped without a word.
  static void dropDisabled(Tree group) {
    List.of("schedulingConstraints", "resourceClaims", "preemptionPolicy").forEach(group::remove);
  }

  void validate() {
    policy();
    disruptionMode();
    if (isNewlySet("priorityClassName")) {
      Checks.dnsSubdomain(
          path.child("priorityClassName"), group.textOrEmpty("priorityClassName"), errors);
    }
    if (isNewlySet("priority") && group.number(0, "priority") > HIGHEST_OF_USERS) {
      errors.invalid(
          path.child("priority"),
          group.get("priority"),
          "must be less than or equal to " + HIGHEST_OF_USERS);
    }
  }

  private void policy() {
    var policy = group.treeOrEmpty("schedulingPolicy");
    var before = old == null ? null : old.treeOrEmpty("schedulingPolicy");
    if (before != null && Fields.isSame(policy, before)) {
      return;
    }
    var at = path.child("schedulingPolicy");
    Unions.exactlyOne(at, policy, before, POLICIES, errors);
    if (before != null && policy.has("basic") != before.has("basic")) {
      errors.invalid(at.child("basic"), null, Checks.IMMUTABLE);
    }
    gang(at.child("gang"), policy.tree("gang"), before);
  }

  /// Whether the group is a gang is settled at birth; how many pods make it one may change.
  private void gang(FieldPath at, @Nullable Tree gang, @Nullable Tree before) {
    if (before != null && (gang != null) != before.has("gang")) {
      errors.invalid(
          at,
          null,
          gang == null ? "field cannot be cleared once set" : "field cannot be set once created");
      return;
    }
    if (gang == null) {
      return;
    }
    long count = gang.number(0, "minCount");
    if (count == 0) {
      errors.required(at.child("minCount"));
    } else if (count < 1) {
      errors.invalid(at.child("minCount"), count, "must be greater than or equal to 1");
    }
  }

  private void disruptionMode() {
    if (isNewlySet("disruptionMode")) {
      Unions.exactlyOne(
          path.child("disruptionMode"), group.treeOrEmpty("disruptionMode"), null, MODES, errors);
    }
  }

  /// Whether a field that is fixed from birth is there and new; refuses a change of it.
  boolean isNewlySet(String field) {
    if (old == null) {
      return !Fields.isSame(group.get(field), null);
    }
    if (Fields.differs(group, old, field)) {
      errors.invalid(path.child(field), null, Checks.IMMUTABLE);
    }
    return false;
  }
}
