package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.LabelSelectors;
import java.util.List;

/// The rules of topology spread constraints.
final class SpreadValidation {

  private final PodOptions options;
  private final FieldErrors errors;

  SpreadValidation(PodOptions options, FieldErrors errors) {
    this.options = options;
    this.errors = errors;
  }

  void validate(List<Tree> constraints, FieldPath path) {
    for (int i = 0; i < constraints.size(); i++) {
      constraint(constraints.get(i), constraints.subList(i + 1, constraints.size()), path.index(i));
    }
  }

  private void constraint(Tree constraint, List<Tree> later, FieldPath path) {
    Checks.positive(path.child("maxSkew"), constraint.number(0, "maxSkew"), errors);
    var key = constraint.textOrEmpty("topologyKey");
    if (key.isEmpty()) {
      errors.required(path.child("topologyKey"), "can not be empty");
    }
    var action = constraint.textOrEmpty("whenUnsatisfiable");
    Checks.supported(
        path.child("whenUnsatisfiable"),
        action,
        List.of("DoNotSchedule", "ScheduleAnyway"),
        errors);
    if (later.stream()
        .anyMatch(each ->
            each.textOrEmpty("topologyKey").equals(key)
                && each.textOrEmpty("whenUnsatisfiable").equals(action))) {
      errors.duplicate(
          path.child("{topologyKey, whenUnsatisfiable}"), "{%s, %s}".formatted(key, action));
    }
    if (constraint.get("minDomains") instanceof Long domains) {
      Checks.positive(path.child("minDomains"), domains, errors);
      if (!action.equals("DoNotSchedule")) {
        errors.invalid(
            path.child("minDomains"),
            domains,
            "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action);
      }
    }
    for (var policy : List.of("nodeAffinityPolicy", "nodeTaintsPolicy")) {
      if (constraint.get(policy) instanceof String value) {
        Checks.supported(path.child(policy), value, List.of("Honor", "Ignore"), errors);
      }
    }
    AffinityValidation.labelKeys(
        constraint.list("matchLabelKeys"),
        List.of(),
        constraint.tree("labelSelector"),
        path,
        errors);
    if (!options.badSelectorValues()) {
      LabelSelectors.validate(
          constraint.tree("labelSelector"), false, path.child("labelSelector"), errors);
    }
  }
}
