package io.berth.kinds.core;

import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import java.util.ArrayList;
import java.util.List;

/// The rules of topology spread constraints.
///
/// Mirrors: core/validation.validateTopologySpreadConstraints
final class SpreadValidation {

  private SpreadValidation() {}

  static void validate(Cursor constraints, PodOptions options) {
    var later = new ArrayList<>(constraints.each());
    for (var constraint : constraints.each()) {
      later.removeFirst();
      constraint(constraint, later, options);
    }
  }

  private static void constraint(Cursor constraint, List<Cursor> later, PodOptions options) {
    constraint.at("maxSkew").positive();
    var key = constraint.at("topologyKey");
    key.required("can not be empty");
    var action = constraint.at("whenUnsatisfiable").supported();
    if (later.stream()
        .anyMatch(each ->
            each.text("topologyKey").equals(key.text())
                && each.text("whenUnsatisfiable").equals(action.text()))) {
      constraint
          .at("{topologyKey, whenUnsatisfiable}")
          .duplicate("{%s, %s}".formatted(key.text(), action.text()));
    }
    var domains = constraint.at("minDomains").ifSet().positive();
    if (!action.is("DoNotSchedule")) {
      domains.invalid(
          "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action.text());
    }
    constraint.at("nodeAffinityPolicy").ifSet().supported();
    constraint.at("nodeTaintsPolicy").ifSet().supported();
    AffinityValidation.labelKeys(constraint);
    if (!options.badSelectorValues()) {
      LabelSelectors.validate(constraint.at("labelSelector"), false);
    }
  }
}
