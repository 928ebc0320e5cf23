package io.berth.workloads.serve;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.list.Values;
import io.berth.workloads.org.Usage;
import io.berth.workloads.rest.Call;
import io.berth.workloads.state.State;
import io.berth.workloads.state.Times;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Series over time, as far as they follow from what the cluster knows: which pods ran when, which
/// nodes there are, which quotas.
///
/// What needs a measuring agent on the nodes (utilization) has no values, and the answer is then
/// 207: a part of what was asked for.
final class Metrics {

  private static final int MAX_TYPES = 9;

  private final State state;

  Metrics(State state) {
    this.state = state;
  }

  /// A quantity at a time; nothing is known of the future.
  interface Series {
    double at(Instant when);
  }

  /// Answers a request for some of `types`, as far as there are series for them.
  Answer of(Call call, MetricType types, Map<String, Series> series) {
    var start = time(call, "start");
    var end = time(call, "end");
    if (end.isBefore(start)) {
      throw Refusal.badRequest("end: is before start");
    }
    int samples = ListRequest.number(call.request(), "numberOfSamples", 20, 0, 1000);
    var measurements = new ArrayList<Object>();
    boolean all = true;
    for (var type : asked(call, types)) {
      var one = series.get(type);
      all &= one != null;
      measurements.add(
          Tree.of(
              "type",
              type,
              "labels",
              new Tree(),
              "values",
              one == null ? null : values(one, start, end, samples)));
    }
    return Answer.json(all ? 200 : 207, Tree.of("measurements", measurements));
  }

  private static List<String> asked(Call call, MetricType types) {
    var asked = call.values("metricType");
    if (asked.isEmpty()) {
      throw Refusal.badRequest("Required parameter is missing: metricType");
    }
    if (asked.size() > MAX_TYPES) {
      throw Refusal.badRequest("metricType: at most %d at once".formatted(MAX_TYPES));
    }
    for (var type : asked) {
      if (!types.names().contains(type)) {
        throw Refusal.badRequest(
            "metricType: \"%s\" is none of %s".formatted(type, String.join(", ", types.names())));
      }
    }
    return asked;
  }

  private List<Object> values(Series series, Instant start, Instant end, int samples) {
    var values = new ArrayList<Object>();
    for (int i = 0; i < samples; i++) {
      var at =
          samples == 1
              ? end
              : start.plus(Duration.between(start, end).multipliedBy(i).dividedBy(samples - 1));
      double value = at.isAfter(state.times().instant()) ? 0 : series.at(at);
      values.add(
          Tree.of(
              "value", BigDecimal.valueOf(value).stripTrailingZeros().toPlainString(),
              "timestamp", Times.text(at)));
    }
    return values;
  }

  private static Instant time(Call call, String name) {
    try {
      return Values.time(call.required(name));
    } catch (DateTimeParseException e) {
      throw Refusal.badRequest(
          "%s: \"%s\" is no RFC 3339 time".formatted(name, call.parameter(name)));
    }
  }

  // ---- what follows from pods ------------------------------------------------------------------

  /// What pods asked for and held, under the names workloads and their pods have for it.
  static Map<String, Series> ofPods(List<Tree> pods) {
    var series = new LinkedHashMap<String, Series>();
    series.put(
        "POD_COUNT", when -> (double) pods.stream().filter(pod -> existed(pod, when)).count());
    series.put("RUNNING_POD_COUNT", running(pods, _ -> 1));
    series.put("GPU_ALLOCATION", running(pods, pod -> Usage.amountOf(pod).gpu()));
    series.put("CPU_REQUEST_CORES", running(pods, pod -> Usage.amountOf(pod).cpu() / 1000));
    series.put("CPU_MEMORY_REQUEST_BYTES", running(pods, pod -> Usage.amountOf(pod).memory()));
    series.put("CPU_LIMIT_CORES", running(pods, pod -> limit(pod, "cpu")));
    series.put("CPU_MEMORY_LIMIT_BYTES", running(pods, pod -> limit(pod, "memory")));
    return series;
  }

  /// A sum over the pods that ran at a time.
  static Series running(List<Tree> pods, ToDoubleFunction<Tree> amount) {
    return when -> {
      double sum = 0;
      for (var pod : pods) {
        if (ran(pod, when)) {
          sum += amount.applyAsDouble(pod);
        }
      }
      return sum;
    };
  }

  private static boolean existed(Tree pod, Instant when) {
    return isBefore(pod.text("metadata", "creationTimestamp"), when) && !ended(pod, when);
  }

  private static boolean ran(Tree pod, Instant when) {
    return isBefore(pod.text("status", "startTime"), when) && !ended(pod, when);
  }

  private static boolean ended(Tree pod, Instant when) {
    return pod.trees("status", "containerStatuses").stream()
        .anyMatch(status -> isBefore(status.text("state", "terminated", "finishedAt"), when));
  }

  private static boolean isBefore(@Nullable String time, Instant when) {
    return time != null && !time.isEmpty() && !Instant.parse(time).isAfter(when);
  }

  private static double limit(Tree pod, String resource) {
    double sum = 0;
    for (var container : pod.trees("spec", "containers")) {
      var limit = container.textOrEmpty("resources", "limits", resource);
      sum += limit.isEmpty() ? 0 : Quantity.parse(limit).amount().doubleValue();
    }
    return sum;
  }
}
