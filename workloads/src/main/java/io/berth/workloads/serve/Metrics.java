package io.berth.workloads.serve;

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
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Series over time, as far as they follow from when pods started.
///
/// What needs a measuring agent on the nodes (utilization) has no values, and the answer is then
/// 207: a part of what was asked for.
public final class Metrics {

  private static final int MAX_TYPES = 9;

  private final State state;

  public Metrics(State state) {
    this.state = state;
  }

  public Answer of(Call call, List<Tree> pods) {
    var start = time(call, "start");
    var end = time(call, "end");
    if (end.isBefore(start)) {
      throw Refusal.badRequest("end: is before start");
    }
    int samples = ListRequest.number(call.request(), "numberOfSamples", 20, 0, 1000);
    var types = call.values("metricType");
    if (types.isEmpty()) {
      throw Refusal.badRequest("Required parameter is missing: metricType");
    }
    if (types.size() > MAX_TYPES) {
      throw Refusal.badRequest("metricType: at most %d at once".formatted(MAX_TYPES));
    }
    var measurements = new ArrayList<Object>();
    boolean all = true;
    for (var type : types) {
      var series = series(type);
      all &= series != null;
      measurements.add(
          Tree.of(
              "type",
              type,
              "labels",
              new Tree(),
              "values",
              series == null ? null : values(series, pods, start, end, samples)));
    }
    return Answer.json(all ? 200 : 207, Tree.of("measurements", measurements));
  }

  /// What a running pod adds to a series; `null` for what nobody measures.
  private static @Nullable ToDoubleFunction<Tree> series(String type) {
    return switch (type) {
      case "GPU_ALLOCATION", "ALLOCATED_GPU", "GPU_ALLOCATION_COUNT" ->
          pod -> Usage.amountOf(pod).gpu();
      case "CPU_REQUEST_CORES", "CPU_ALLOCATION_CORES" -> pod -> Usage.amountOf(pod).cpu() / 1000;
      case "CPU_MEMORY_REQUEST_BYTES" -> pod -> Usage.amountOf(pod).memory();
      case "POD_COUNT", "RUNNING_POD_COUNT" -> _ -> 1;
      default -> null;
    };
  }

  private List<Object> values(
      ToDoubleFunction<Tree> series, List<Tree> pods, Instant start, Instant end, int samples) {
    var values = new ArrayList<Object>();
    for (int i = 0; i < samples; i++) {
      var at =
          samples == 1
              ? end
              : start.plus(Duration.between(start, end).multipliedBy(i).dividedBy(samples - 1));
      double sum = 0;
      for (var pod : pods) {
        var started = pod.textOrEmpty("status", "startTime");
        if (!started.isEmpty()
            && !Instant.parse(started).isAfter(at)
            && !at.isAfter(state.times().instant())) {
          sum += series.applyAsDouble(pod);
        }
      }
      values.add(
          Tree.of(
              "value", BigDecimal.valueOf(sum).stripTrailingZeros().toPlainString(),
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
}
