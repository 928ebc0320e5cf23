package io.berth.kinds.scheduling;

import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.Unions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a pod group and the template of one have in common: policy, disruption mode, priority.
///
/// `old` is `null` for what is new. What an update leaves alone is not looked at again.
///
/// Mirrors: scheduling/v1beta1.Validate_PodGroupSpec, Validate_PodGroupTemplate
record GroupFields(Cursor group, @Nullable Tree old) {

  private static final long HIGHEST_OF_USERS = 1_000_000_000;
  private static final List<String> POLICIES = List.of("basic", "gang");
  private static final List<String> MODES = List.of("single", "all");

  /// Behind feature gates that are off, as in Kubernetes: dropped without a word.
  static void dropDisabled(Tree group) {
    List.of("schedulingConstraints", "resourceClaims", "preemptionPolicy").forEach(group::remove);
  }

  void validate() {
    policy(group.at("schedulingPolicy"));
    if (isNewlySet("disruptionMode")) {
      Unions.exactlyOne(group.at("disruptionMode"), null, MODES);
    }
    if (isNewlySet("priorityClassName")) {
      group.at("priorityClassName").follows(Names::dnsSubdomain);
    }
    if (isNewlySet("priority") && group.number("priority") > HIGHEST_OF_USERS) {
      group.at("priority").invalid("must be less than or equal to " + HIGHEST_OF_USERS);
    }
  }

  private void policy(Cursor policy) {
    var before = old == null ? null : old.treeOrEmpty("schedulingPolicy");
    if (before != null && Fields.isSame(policy.tree(), before)) {
      return;
    }
    Unions.exactlyOne(policy, before, POLICIES);
    if (before != null && policy.has("basic") != before.has("basic")) {
      policy.at("basic").invalid(null, Checks.IMMUTABLE);
    }
    gang(policy.at("gang"), before);
  }

  /// Whether the group is a gang is settled at birth; how many pods make it one may change.
  private static void gang(Cursor gang, @Nullable Tree before) {
    if (before != null && gang.isSet() != before.has("gang")) {
      gang.invalid(
          null,
          gang.isSet() ? "field cannot be set once created" : "field cannot be cleared once set");
      return;
    }
    var count = gang.ifSet().at("minCount");
    if (count.number() == 0) {
      count.missing();
    } else if (count.number() < 1) {
      count.invalid("must be greater than or equal to 1");
    }
  }

  /// Whether a field that is fixed from birth is there and new; refuses a change of it.
  boolean isNewlySet(String field) {
    var now = group.at(field);
    if (old == null) {
      return !Fields.isSame(now.value(), null);
    }
    if (!Fields.isSame(now.value(), old.get(field))) {
      now.invalid(null, Checks.IMMUTABLE);
    }
    return false;
  }
}
