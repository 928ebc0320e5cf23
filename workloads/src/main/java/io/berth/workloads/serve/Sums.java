package io.berth.workloads.serve;

import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.rest.Call;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Telemetry in the making: sums of numbers, by up to two groups.
final class Sums {

  private static final int MAX_GROUPS = 2;

  private final List<String> groupBy;
  private final Map<List<String>, Double> sums = new LinkedHashMap<>();
  private final Map<List<String>, List<Object>> groups = new LinkedHashMap<>();

  /// `known` are the groups there are; they may also be asked for as `CLUSTER_ID`.
  Sums(Call call, List<String> known) {
    this.groupBy = call.values("groupBy").stream().map(each -> group(each, known)).toList();
    if (groupBy.size() > MAX_GROUPS) {
      throw Refusal.badRequest("groupBy: at most two");
    }
    if (groupBy.isEmpty()) {
      sums.put(List.of(), 0.0);
    }
  }

  private static String group(String asked, List<String> known) {
    return known.stream()
        .filter(each -> each.equalsIgnoreCase(asked.replace("_", "")))
        .findFirst()
        .orElseThrow(() ->
            Refusal.badRequest(
                "groupBy: \"%s\" is none of %s".formatted(asked, String.join(", ", known))));
  }

  /// `telemetryType`, also as the name of an enum constant.
  static String type(Call call) {
    var type = call.required("telemetryType");
    return type.substring(type.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT);
  }

  /// Adds a number; `value` and `name` say what its groups are.
  void add(double number, UnaryOperator<String> value, UnaryOperator<String> name) {
    var key = groupBy.stream().map(value).toList();
    sums.merge(key, number, Double::sum);
    groups.computeIfAbsent(
        key,
        _ ->
            new ArrayList<>(
                groupBy.stream()
                    .map(group ->
                        Tree.of(
                            "key", group,
                            "value", value.apply(group),
                            "name", name.apply(group)))
                    .toList()));
  }

  Tree tree(String type, String now) {
    var values = new ArrayList<Object>();
    sums.forEach((key, sum) -> {
      var entry = Tree.of("value", BigDecimal.valueOf(sum).stripTrailingZeros().toPlainString());
      values.add(groupBy.isEmpty() ? entry : entry.put("groups", groups.get(key)));
    });
    return Tree.of("type", type, "timestamp", now, "values", values);
  }
}
