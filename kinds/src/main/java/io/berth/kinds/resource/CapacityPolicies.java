package io.berth.kinds.resource;

import io.berth.api.Quantity;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;

/// How much of a capacity one claim may take of a device that several claims share: one of some
/// values, or a range in steps.
///
/// Mirrors: resource/validation.validateRequestPolicy
final class CapacityPolicies {

  private static final int MAX_VALUES = 10;
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private final Quantity capacity;

  private CapacityPolicies(Quantity capacity) {
    this.capacity = capacity;
  }

  static void validate(Cursor policy, Quantity capacity) {
    new CapacityPolicies(capacity).policy(policy);
  }

  private void policy(Cursor policy) {
    var values = policy.at("validValues");
    var range = policy.at("validRange");
    if (!values.isEmpty() && range.isSet()) {
      policy.forbidden(
          "exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\""
              + " at the same time");
      return;
    }
    if (values.isEmpty() && !range.isSet()) {
      return;
    }
    var rule = range.isSet() ? range : values;
    if (!policy.has("default")) {
      policy.at("default").missing("required when %s is defined".formatted(rule.name()));
    } else if (range.isSet()) {
      range(range, quantity(policy.at("default")));
    } else {
      values(values, quantity(policy.at("default")));
    }
  }

  private void values(Cursor values, Quantity preset) {
    var before = Quantity.ZERO;
    for (var value : values.each()) {
      if (value.index() > 0 && before.compareTo(quantity(value)) > 0) {
        invalid(value, quantity(value), "values must be sorted in ascending order");
      }
      before = quantity(value);
    }
    boolean found = false;
    if (values.atMostItems(MAX_VALUES).list().size() <= MAX_VALUES) {
      for (var value : values.each()) {
        notAbove(value, "option");
        found |= quantity(value).compareTo(preset) == 0;
      }
      unique(values);
    }
    if (!found) {
      invalid(values, preset, "default value is not valid according to the requestPolicy");
    }
  }

  /// As in Kubernetes, what rounds to the same number is the same.
  private static void unique(Cursor values) {
    var seen = new HashSet<String>();
    for (var value : values.each()) {
      value.with(Long.toString(quantity(value).value())).unique(seen);
    }
  }

  private void range(Cursor range, Quantity preset) {
    if (!range.at("min").required("required when validRange is defined").isSet()) {
      return;
    }
    var min = quantity(range.at("min"));
    notAbove(range.at("min"), "min");
    if (preset.compareTo(min) < 0) {
      invalid(range.at("default"), preset, "default is less than min: " + min);
    }
    if (range.has("max")) {
      var max = quantity(range.at("max"));
      if (min.compareTo(max) > 0) {
        invalid(range.at("max"), min, "min is larger than max: " + max);
      }
      notAbove(range.at("max"), "max");
      if (preset.compareTo(max) > 0) {
        invalid(range.at("default"), preset, "default is more than max: " + max);
      }
    }
    range.at("step").ifSet(step -> steps(range, preset, step));
  }

  private void steps(Cursor range, Quantity preset, Cursor stepField) {
    var step = quantity(stepField);
    if (step.amount().signum() <= 0) {
      invalid(stepField, step, Checks.POSITIVE);
      return;
    }
    var min = quantity(range.at("min"));
    var first = min.plus(step);
    if (first.compareTo(capacity) > 0) {
      invalid(
          stepField,
          step,
          "one step %s is larger than capacity value: %s".formatted(first, capacity));
    }
    var numbers = new ArrayList<Cursor>();
    numbers.add(range.at("default").with(preset.toString()));
    numbers.add(range.at("min"));
    range.at("max").ifSet(numbers::add);
    numbers.add(stepField);
    boolean countable = true;
    for (var number : numbers) {
      countable &= countable(number, quantity(number));
    }
    if (countable) {
      multiple(stepField, preset, min, step);
      range.at("max").ifSet(max -> multiple(stepField, quantity(max), min, step));
    }
  }

  private static boolean countable(Cursor field, Quantity number) {
    if (number.amount().signum() < 0) {
      invalid(field, number, Checks.NOT_NEGATIVE);
    } else if (number.amount().compareTo(LARGEST) > 0) {
      invalid(field, number, "must not be larger than " + LARGEST);
    } else {
      return true;
    }
    return false;
  }

  private static void multiple(Cursor field, Quantity value, Quantity min, Quantity step) {
    if ((value.value() - min.value()) % step.value() != 0) {
      invalid(
          field,
          value,
          "value is not a multiple of a given step (%s) from (%s)".formatted(step, min));
    }
  }

  private void notAbove(Cursor field, String name) {
    if (quantity(field).compareTo(capacity) > 0) {
      invalid(
          field, quantity(field), "%s is larger than capacity value: %s".formatted(name, capacity));
    }
  }

  private static void invalid(Cursor field, Quantity value, String detail) {
    field.invalid(value.toString(), detail);
  }

  private static Quantity quantity(Cursor field) {
    return field.isSet() ? Quantity.parse(String.valueOf(field.value())) : Quantity.ZERO;
  }
}
