package io.berth.workloads.policy;

import io.berth.api.Tree;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules that judge a value by itself: `required`, `min`, `max`, `step`, `options`.
final class ValueRules {

  private ValueRules() {}

  static List<Issue> issues(String path, Kind kind, Tree rules, @Nullable Object value) {
    if (value == null || (value instanceof List<?> list && list.isEmpty())) {
      return rules.flag("required") ? List.of(Issue.required(path)) : List.of();
    }
    var issues = new ArrayList<Issue>();
    if (Values.isNumber(kind, value)) {
      checkNumber(path, rules, Values.number(value), issues);
    }
    if (rules.get("options") != null) {
      checkOptions(path, rules, value, issues);
    }
    return issues;
  }

  private static void checkNumber(String path, Tree rules, BigDecimal value, List<Issue> issues) {
    var min = rules.get("min");
    var max = rules.get("max");
    var step = rules.get("step");
    if (min != null && value.compareTo(Values.number(min)) < 0) {
      issues.add(new Issue(path, "value must be no less than " + min, "min"));
    }
    if (max != null && value.compareTo(Values.number(max)) > 0) {
      issues.add(new Issue(path, "value must be no more than " + max, "max"));
    }
    if (step != null) {
      var from = min == null ? BigDecimal.ZERO : Values.number(min);
      if (value.subtract(from).remainder(Values.number(step)).signum() != 0) {
        issues.add(
            new Issue(
                path,
                "value must be %s plus a multiple of %s".formatted(from.toPlainString(), step),
                "step"));
      }
    }
  }

  private static void checkOptions(String path, Tree rules, Object value, List<Issue> issues) {
    var allowed = rules.trees("options").stream().map(o -> o.textOrEmpty("value")).toList();
    var given = value instanceof List<?> list ? list : List.of(value);
    for (var each : given) {
      if (!allowed.contains(String.valueOf(each))) {
        issues.add(
            new Issue(path, "value must be one of: " + String.join(", ", allowed), "options"));
        return;
      }
    }
  }
}
