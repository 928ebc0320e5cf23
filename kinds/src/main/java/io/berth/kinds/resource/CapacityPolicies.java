package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How much of a capacity one claim may take of a device that several claims share: one of some
/// values, or a range in steps.
final class CapacityPolicies {

  private static final int MAX_VALUES = 10;
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private final Quantity capacity;
  private final FieldErrors errors;

  private CapacityPolicies(Quantity capacity, FieldErrors errors) {
    this.capacity = capacity;
    this.errors = errors;
  }

  static void validate(FieldPath path, Quantity capacity, Tree policy, FieldErrors errors) {
    new CapacityPolicies(capacity, errors).policy(path, policy);
  }

  private void policy(FieldPath path, Tree policy) {
    var values = policy.list("validValues").stream().map(CapacityPolicies::quantity).toList();
    var range = policy.tree("validRange");
    if (!values.isEmpty() && range != null) {
      errors.forbidden(
          path,
          "exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\""
              + " at the same time");
      return;
    }
    if (values.isEmpty() && range == null) {
      return;
    }
    var kind = range == null ? "validValues" : "validRange";
    if (policy.get("default") == null) {
      errors.required(path.child("default"), "required when %s is defined".formatted(kind));
    } else if (range == null) {
      values(path.child(kind), quantity(policy.get("default")), values);
    } else {
      range(path.child(kind), quantity(policy.get("default")), range);
    }
  }

  private void values(FieldPath path, Quantity preset, List<Quantity> values) {
    for (int i = 1; i < values.size(); i++) {
      if (values.get(i - 1).compareTo(values.get(i)) > 0) {
        invalid(path.index(i), values.get(i), "values must be sorted in ascending order");
      }
    }
    boolean found = false;
    if (values.size() > MAX_VALUES) {
      errors.tooMany(path, values.size(), MAX_VALUES);
    } else {
      for (int i = 0; i < values.size(); i++) {
        notAbove(path.index(i), values.get(i), "option");
        found |= values.get(i).compareTo(preset) == 0;
      }
      unique(path, values);
    }
    if (!found) {
      invalid(path, preset, "default value is not valid according to the requestPolicy");
    }
  }

  /// As in Kubernetes, what rounds to the same number is the same.
  private void unique(FieldPath path, List<Quantity> values) {
    var seen = new HashSet<Long>();
    for (int i = 0; i < values.size(); i++) {
      if (!seen.add(values.get(i).value())) {
        errors.duplicate(path.index(i), Long.toString(values.get(i).value()));
      }
    }
  }

  private void range(FieldPath path, Quantity preset, Tree range) {
    if (range.get("min") == null) {
      errors.required(path.child("min"), "required when validRange is defined");
      return;
    }
    var min = quantity(range.get("min"));
    notAbove(path.child("min"), min, "min");
    if (preset.compareTo(min) < 0) {
      invalid(path.child("default"), preset, "default is less than min: " + min);
    }
    if (range.get("max") != null) {
      var max = quantity(range.get("max"));
      if (min.compareTo(max) > 0) {
        invalid(path.child("max"), min, "min is larger than max: " + max);
      }
      notAbove(path.child("max"), max, "max");
      if (preset.compareTo(max) > 0) {
        invalid(path.child("default"), preset, "default is more than max: " + max);
      }
    }
    if (range.get("step") != null) {
      steps(path, preset, range, quantity(range.get("step")));
    }
  }

  private void steps(FieldPath path, Quantity preset, Tree range, Quantity step) {
    if (step.amount().signum() <= 0) {
      invalid(path.child("step"), step, Checks.POSITIVE);
      return;
    }
    var min = quantity(range.get("min"));
    var first = min.plus(step);
    if (first.compareTo(capacity) > 0) {
      invalid(
          path.child("step"),
          step,
          "one step %s is larger than capacity value: %s".formatted(first, capacity));
    }
    var numbers = new LinkedHashMap<String, Quantity>();
    numbers.put("default", preset);
    numbers.put("min", min);
    if (range.get("max") != null) {
      numbers.put("max", quantity(range.get("max")));
    }
    numbers.put("step", step);
    int before = errors.size();
    numbers.forEach((name, number) -> countable(path.child(name), number));
    if (errors.size() == before) {
      numbers.remove("min");
      numbers.remove("step");
      numbers.values().forEach(each -> multiple(path.child("step"), each, min, step));
    }
  }

  private void countable(FieldPath path, Quantity number) {
    if (number.amount().signum() < 0) {
      invalid(path, number, Checks.NOT_NEGATIVE);
    } else if (number.amount().compareTo(LARGEST) > 0) {
      invalid(path, number, "must not be larger than " + LARGEST);
    }
  }

  private void multiple(FieldPath path, Quantity value, Quantity min, Quantity step) {
    if ((value.value() - min.value()) % step.value() != 0) {
      invalid(
          path,
          value,
          "value is not a multiple of a given step (%s) from (%s)".formatted(step, min));
    }
  }

  private void notAbove(FieldPath path, Quantity value, String name) {
    if (value.compareTo(capacity) > 0) {
      invalid(path, value, "%s is larger than capacity value: %s".formatted(name, capacity));
    }
  }

  private void invalid(FieldPath path, Quantity value, String detail) {
    errors.invalid(path, value.toString(), detail);
  }

  private static Quantity quantity(@Nullable Object text) {
    return text == null ? Quantity.ZERO : Quantity.parse(String.valueOf(text));
  }
}
