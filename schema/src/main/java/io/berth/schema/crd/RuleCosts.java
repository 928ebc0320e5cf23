package io.berth.schema.crd;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// What the rules of a schema can cost: each may cost so much, and all together so much.
///
/// `limited` says that each rule is refused that costs too much; those of a schema that was
/// accepted before are not.
final class RuleCosts {

  private static final double PER_RULE = 10_000_000;
  private static final double PER_SCHEMA = 100_000_000;
  private static final int SHOWN = 4;

  private final boolean limited;
  private final List<Expensive> expensive = new ArrayList<>();
  private double total;

  RuleCosts(boolean limited) {
    this.limited = limited;
  }

  private record Expensive(FieldPath path, double cost) {}

  /// Notes the cost of a rule or of its message; `what` is its name in messages.
  void note(String what, double cost, FieldPath path, FieldErrors errors) {
    if (limited && cost > PER_RULE) {
      errors.forbidden(path, tooMuch(what, cost, PER_RULE));
    }
    total += cost;
    if (cost < PER_SCHEMA / 100) {
      return;
    }
    expensive.add(new Expensive(path, cost));
    expensive.sort(Comparator.comparingDouble(Expensive::cost).reversed());
    if (expensive.size() > SHOWN) {
      expensive.removeLast();
    }
  }

  /// Refuses a schema whose rules cost too much together.
  void check(FieldPath path, FieldErrors errors) {
    if (total <= PER_SCHEMA) {
      return;
    }
    for (var each : expensive) {
      errors.forbidden(
          each.path,
          "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3"
              + " schema");
    }
    errors.forbidden(
        path,
        tooMuch(
            "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
            total,
            PER_SCHEMA));
  }

  private static String tooMuch(String what, double cost, double limit) {
    double factor = cost / limit;
    var shown =
        factor > 100
            ? "more than 100x"
            : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
    return what
        + " exceeds budget by factor of "
        + shown
        + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where"
        + " arrays, maps, and strings are declared)";
  }
}
