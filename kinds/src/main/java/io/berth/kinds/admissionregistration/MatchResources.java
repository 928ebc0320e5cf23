package io.berth.kinds.admissionregistration;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which requests a policy or binding is about: rules, selectors, exclusions.
///
/// Mirrors: admissionregistration/validation.validateMatchResources
final class MatchResources {

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

  static void validate(Cursor match) {
    match.at("matchPolicy").oneOf();
    for (var selector : match.fields("namespaceSelector", "objectSelector")) {
      LabelSelectors.validate(selector.required(), false);
    }
    match.each("resourceRules", ResourceRules::validateNamed);
    match.each("excludeResourceRules", ResourceRules::validateNamed);
  }

  /// The constraints of a policy, which must name resources so that types are known.
  static void validateConstraints(Cursor constraints) {
    var match = constraints.required();
    match.ifSet(MatchResources::validate);
    match.at("resourceRules").required();
  }

  /// What is deleted cannot be changed.
  static void validateMutable(Cursor match) {
    for (var rule : match.each("resourceRules")) {
      for (var operation : rule.tree().list("operations")) {
        match.at("resourceRules", "operations").with(operation).supported(MUTABLE);
      }
    }
  }
}
