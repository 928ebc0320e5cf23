package io.berth.workloads.sharing;

import io.berth.api.Tree;
import io.berth.quota.Amounts;
import io.berth.workloads.org.Durations;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.NodePools.Pool;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.state.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What projects have used in node pools with time-based fair share.
///
/// Between two looks everybody is taken to have used what it had at the first. Use is summed up in
/// spans of a hundredth of the pool's window, so that there are never more than a hundred and one;
/// once a minute they are written into the status of the pool, where they survive a restart. One
/// thread owns it.
final class PastUse {

  private static final Duration DEFAULT_WINDOW = Duration.ofDays(7);
  private static final int SPANS = 100;
  private static final Duration BETWEEN_WRITES = Duration.ofMinutes(1);
  private static final double MEGABYTE = 1e6;

  private final State state;
  private final NodePools pools;
  private final Map<String, History> histories = new HashMap<>();

  PastUse(State state, NodePools pools) {
    this.state = state;
    this.pools = pools;
  }

  /// Of one pool: by the time a span began, by project, GPU-, core- and megabyte-seconds.
  private static final class History {

    final TreeMap<Instant, Map<String, double[]>> spans = new TreeMap<>();
    Map<String, double[]> inUse = Map.of();
    Instant looked = Instant.EPOCH;
    Instant written = Instant.EPOCH;
  }

  /// Takes note of what is used now.
  void look() {
    var counted = pools.all().stream().filter(pool -> PoolReader.history(pool) != null).toList();
    histories.keySet().retainAll(counted.stream().map(Pool::name).toList());
    if (counted.isEmpty()) {
      return;
    }
    var usage = Usage.of(state, pools);
    for (var pool : counted) {
      look(pool, histories.computeIfAbsent(pool.name(), _ -> read(pool)), usage);
    }
  }

  private void look(Pool pool, History history, Usage usage) {
    var now = state.times().instant();
    double seconds = Math.max(0, Duration.between(history.looked, now).toMillis() / 1000.0);
    if (!history.looked.equals(Instant.EPOCH) && !history.inUse.isEmpty()) {
      var span = history.spans.computeIfAbsent(beginning(pool, now), _ -> new HashMap<>());
      history.inUse.forEach((project, amounts) -> {
        var sum = span.computeIfAbsent(project, _ -> new double[amounts.length]);
        for (int r = 0; r < sum.length; r++) {
          sum[r] += amounts[r] * seconds;
        }
      });
    }
    history.looked = now;
    history.inUse = inUse(pool, usage);
    history.spans.headMap(now.minus(window(pool)), false).clear();
    if (!history.written.plus(BETWEEN_WRITES).isAfter(now) && !history.spans.isEmpty()) {
      history.written = now;
      write(pool, history);
    }
  }

  private Map<String, double[]> inUse(Pool pool, Usage usage) {
    var found = new HashMap<String, double[]>();
    for (var project : state.units(BerthKinds.PROJECTS)) {
      var held = usage.in(Projects.name(project), pool.name()).allocated();
      if (!held.equals(Usage.Amount.ZERO)) {
        found.put(
            Projects.id(project),
            new double[] {held.gpu(), held.cpu() / 1000, held.memory() / MEGABYTE});
      }
    }
    return found;
  }

  /// By pool and project id: what was in use on average, the recent counting more than the past.
  Map<String, Map<String, Amounts>> counted() {
    var now = state.times().instant();
    var counted = new HashMap<String, Map<String, Amounts>>();
    for (var pool : pools.all()) {
      var history = histories.get(pool.name());
      if (history != null) {
        counted.put(pool.name(), counted(pool, history, now));
      }
    }
    return counted;
  }

  private static Map<String, Amounts> counted(Pool pool, History history, Instant now) {
    var spans = history.spans.tailMap(windowStart(pool, now), true);
    var sums = new HashMap<String, double[]>();
    spans.forEach((began, span) -> {
      double weight = decay(pool, Duration.between(began, now));
      span.forEach((project, amounts) -> {
        var sum = sums.computeIfAbsent(project, _ -> new double[amounts.length]);
        for (int r = 0; r < sum.length; r++) {
          sum[r] += amounts[r] * weight;
        }
      });
    });
    double seconds = spans.isEmpty() ? 1 : seconds(pool, spans.firstKey(), now);
    var counted = new HashMap<String, Amounts>();
    sums.forEach((project, sum) ->
        counted.put(
            project,
            new Amounts(
                Math.round(sum[0] * 1000 / seconds),
                Math.round(sum[1] * 1000 / seconds),
                Math.round(sum[2] * MEGABYTE / seconds))));
    return counted;
  }

  /// For how long use has been counted, the recent weighing more, spans without any use as well.
  private static double seconds(Pool pool, Instant first, Instant now) {
    double seconds = 0;
    long length = spanMillis(pool);
    for (var began = first; began.isBefore(now); began = began.plusMillis(length)) {
      long millis = Math.min(length, Duration.between(began, now).toMillis());
      seconds += decay(pool, Duration.between(began, now)) * millis / 1000;
    }
    return Math.max(1, seconds);
  }

  private static double decay(Pool pool, Duration age) {
    var halfLife = duration(pool, "decayHalfLife");
    return halfLife == null || halfLife.isZero()
        ? 1
        : Math.pow(0.5, (double) age.toMillis() / halfLife.toMillis());
  }

  private static Instant windowStart(Pool pool, Instant now) {
    var history = history(pool);
    var window = window(pool);
    if (!history.textOrEmpty("windowType").equals("tumbling")) {
      return now.minus(window);
    }
    var start = history.textOrEmpty("tumblingWindowStartTime");
    var first = start.isEmpty() ? Instant.EPOCH : time(start);
    long windows = Math.floorDiv(Duration.between(first, now).toMillis(), window.toMillis());
    return first.plusMillis(windows * window.toMillis());
  }

  // Where the cluster has stored what nobody has looked at, it may be no time.
  private static Instant time(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      return Instant.EPOCH;
    }
  }

  private static Duration window(Pool pool) {
    var window = duration(pool, "windowDuration");
    return window == null || window.isZero() ? DEFAULT_WINDOW : window;
  }

  private static @Nullable Duration duration(Pool pool, String field) {
    return Durations.findSensible(history(pool).textOrEmpty(field)).orElse(null);
  }

  private static Tree history(Pool pool) {
    return pool.object().treeOrEmpty("spec", "schedulingConfiguration", "timeBasedFairShare");
  }

  private static Instant beginning(Pool pool, Instant now) {
    long length = spanMillis(pool);
    return Instant.ofEpochMilli(now.toEpochMilli() / length * length);
  }

  private static long spanMillis(Pool pool) {
    return Math.max(1000, window(pool).toMillis() / SPANS);
  }

  // ---- where it survives -----------------------------------------------------------------------

  private static History read(Pool pool) {
    var history = new History();
    for (var span : pool.object().trees("status", "pastUse")) {
      var use = new HashMap<String, double[]>();
      for (var each : span.trees("use")) {
        use.put(
            each.textOrEmpty("project"),
            new double[] {number(each, "gpu"), number(each, "cpu"), number(each, "memory")});
      }
      history.spans.put(Instant.parse(span.textOrEmpty("from")), use);
    }
    return history;
  }

  private static double number(Tree tree, String field) {
    return tree.get(field) instanceof Number number ? number.doubleValue() : 0;
  }

  private void write(Pool pool, History history) {
    var spans = new ArrayList<Object>();
    history.spans.forEach((began, span) -> {
      var use = new ArrayList<Object>();
      new TreeMap<>(span)
          .forEach((project, sum) ->
              use.add(Tree.of("project", project, "gpu", sum[0], "cpu", sum[1], "memory", sum[2])));
      spans.add(Tree.of("from", Times.text(began), "use", use));
    });
    state
        .table(BerthKinds.NODE_POOLS)
        .changeStatus("", pool.name(), object -> object.putAt(spans, "status", "pastUse"));
  }
}
