package io.berth.kinds.admissionregistration;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.LabelSelectors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which requests a policy or binding is about: rules, selectors, exclusions.
final class MatchResources {

  static final List<String> POLICIES = List.of("Equivalent", "Exact");
  private static final List<String> MUTABLE = List.of("*", "CONNECT", "CREATE", "UPDATE");

  private MatchResources() {}

  static void setDefaults(@Nullable Tree match) {
    if (match == null) {
      return;
    }
    match.putIfAbsent("matchPolicy", "Equivalent");
    match.putIfAbsent("namespaceSelector", new Tree());
    match.putIfAbsent("objectSelector", new Tree());
    match.trees("resourceRules").forEach(ResourceRules::setDefaults);
    match.trees("excludeResourceRules").forEach(ResourceRules::setDefaults);
  }

  static void validate(@Nullable Tree match, FieldPath path, FieldErrors errors) {
    if (match == null) {
      return;
    }
    Checks.oneOf(path.child("matchPolicy"), match.textOrEmpty("matchPolicy"), POLICIES, errors);
    for (var selector : List.of("namespaceSelector", "objectSelector")) {
      if (match.has(selector)) {
        LabelSelectors.validate(match.tree(selector), false, path.child(selector), errors);
      } else {
        errors.required(path.child(selector));
      }
    }
    for (var field : List.of("resourceRules", "excludeResourceRules")) {
      var rules = match.trees(field);
      for (int i = 0; i < rules.size(); i++) {
        ResourceRules.validateNamed(rules.get(i), path.child(field).index(i), errors);
      }
    }
  }

  /// The constraints of a policy, which must name resources so that types are known.
  static void validateConstraints(@Nullable Tree match, FieldPath path, FieldErrors errors) {
    if (match == null) {
      errors.required(path);
      return;
    }
    validate(match, path, errors);
    if (match.trees("resourceRules").isEmpty()) {
      errors.required(path.child("resourceRules"));
    }
  }

  /// What is deleted cannot be changed.
  static void validateMutable(@Nullable Tree match, FieldPath path, FieldErrors errors) {
    if (match == null) {
      return;
    }
    for (var rule : match.trees("resourceRules")) {
      for (var operation : rule.list("operations")) {
        Checks.supported(
            path.child("resourceRules", "operations"), String.valueOf(operation), MUTABLE, errors);
      }
    }
  }
}
