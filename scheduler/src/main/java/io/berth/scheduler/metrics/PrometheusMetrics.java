package io.berth.scheduler.metrics;

import io.berth.scheduler.SchedulerLoad;
import io.berth.scheduler.SchedulerMetrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Counts for `/metrics`. Dashboards and alerts made for kube-scheduler read these names, labels
/// and buckets; `berth_…` are our own.
public final class PrometheusMetrics implements SchedulerMetrics {

  private static final double NANOS = 1e-9;
  private static final int MAX_ATTEMPTS_LABEL = 15;

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Counter attempts =
      counter(
          "scheduler_schedule_attempts",
          "Attempts to schedule pods, by result: error means a problem of the scheduler itself.",
          "result",
          "profile");
  private final Histogram attemptSeconds =
      histogram(
          "scheduler_scheduling_attempt_duration_seconds",
          "How long attempts took, decision and binding.",
          exponential(0.001, 15),
          "result",
          "profile");
  private final Histogram algorithmSeconds =
      histogram(
          "scheduler_scheduling_algorithm_duration_seconds",
          "How long decisions took.",
          exponential(0.001, 15));
  private final Histogram sliSeconds =
      histogram(
          "scheduler_pod_scheduling_sli_duration_seconds",
          "From the first attempt at a pod until it is bound, by the number of attempts.",
          exponential(0.01, 20),
          "attempts");
  private final Histogram podAttempts =
      histogram(
          "scheduler_pod_scheduling_attempts",
          "Attempts it took to bind a pod.",
          exponential(1, 5));
  private final Counter incoming =
      counter(
          "scheduler_queue_incoming_pods",
          "Pods that came to a part of the queue, by the event that brought them.",
          "queue",
          "event");
  private final Gauge unschedulable =
      register(
          Gauge.builder()
              .name("scheduler_unschedulable_pods")
              .help(
                  "Pods that wait, by the plugin that rejected them; a pod may count for several.")
              .labelNames("plugin", "profile"));
  private final Histogram victims =
      histogram(
          "scheduler_preemption_victims",
          "Pods chosen for eviction by one preemption.",
          exponential(1, 7));
  private final Counter preemptions =
      counter("scheduler_preemption_attempts", "Preemptions decided.");
  private final Counter swept =
      counter(
          "scheduler_pod_scheduled_after_flush",
          "Pods that waited five minutes although an event should have woken them.");
  private final Counter shed =
      counter(
          "berth_scheduler_reports_shed",
          "Events and conditions dropped because the API server could not take them.");
  private final Map<String, String> words = new ConcurrentHashMap<>();

  /// `load` is asked at every scrape; `leading` says whether this instance works or waits.
  public PrometheusMetrics(Supplier<SchedulerLoad> load, BooleanSupplier leading, String lease) {
    register(
        GaugeWithCallback.builder()
            .name("scheduler_pending_pods")
            .help("Pods that wait, by the part of the queue they are in.")
            .labelNames("queue")
            .callback(callback -> {
              var now = load.get();
              callback.call(now.active(), "active");
              callback.call(now.backoff(), "backoff");
              callback.call(now.unschedulable(), "unschedulable");
              callback.call(now.gated(), "gated");
            }));
    register(
        GaugeWithCallback.builder()
            .name("scheduler_cache_size")
            .help("Nodes, pods and assumed pods that the scheduler knows.")
            .labelNames("type")
            .callback(callback -> {
              var now = load.get();
              callback.call(now.nodes(), "nodes");
              callback.call(now.pods(), "pods");
              callback.call(now.assumed(), "assumed_pods");
            }));
    register(
        GaugeWithCallback.builder()
            .name("scheduler_goroutines")
            .help("Binds under way.")
            .labelNames("operation")
            .callback(callback -> callback.call(load.get().binding(), "binding")));
    register(
        GaugeWithCallback.builder()
            .name("leader_election_master_status")
            .help("1 while this instance leads, 0 while it waits.")
            .labelNames("name")
            .callback(callback -> callback.call(leading.getAsBoolean() ? 1 : 0, lease)));
  }

  /// All of it in Prometheus' text format.
  public String text() {
    var bytes = new ByteArrayOutputStream(8192);
    try {
      PrometheusTextFormatWriter.builder().build().write(bytes, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void decided(String profile, long nanos) {
    algorithmSeconds.observe(nanos * NANOS);
  }

  @Override
  public void attempted(Result result, String profile, long nanos) {
    var word = word(result);
    attempts.labelValues(word, profile).inc();
    attemptSeconds.labelValues(word, profile).observe(nanos * NANOS);
  }

  @Override
  public void bound(String profile, int tries, long nanos) {
    podAttempts.observe(tries);
    // As in Kubernetes: the label does not grow without limit.
    var label = tries >= MAX_ATTEMPTS_LABEL ? MAX_ATTEMPTS_LABEL + "+" : String.valueOf(tries);
    sliSeconds.labelValues(label).observe(nanos * NANOS);
  }

  @Override
  public void queued(Queue queue, String event) {
    incoming.labelValues(word(queue), event).inc();
  }

  @Override
  public void unschedulable(String plugin, String profile, int change) {
    unschedulable.labelValues(plugin, profile).inc(change);
  }

  @Override
  public void preempting(int count) {
    preemptions.inc();
    victims.observe(count);
  }

  @Override
  public void swept() {
    swept.inc();
  }

  @Override
  public void shed() {
    shed.inc();
  }

  private String word(Enum<?> value) {
    return words.computeIfAbsent(value.name(), name -> name.toLowerCase(Locale.ROOT));
  }

  private Counter counter(String name, String help, String... labels) {
    return register(Counter.builder().name(name).help(help).labelNames(labels));
  }

  private Histogram histogram(String name, String help, double[] bounds, String... labels) {
    return register(
        Histogram.builder()
            .name(name)
            .help(help)
            .classicOnly()
            .classicUpperBounds(bounds)
            .labelNames(labels));
  }

  private Counter register(Counter.Builder builder) {
    return builder.register(registry);
  }

  private Histogram register(Histogram.Builder builder) {
    return builder.register(registry);
  }

  private Gauge register(Gauge.Builder builder) {
    return builder.register(registry);
  }

  private void register(GaugeWithCallback.Builder builder) {
    builder.register(registry);
  }

  private static double[] exponential(double first, int count) {
    var bounds = new double[count];
    for (int i = 0; i < count; i++) {
      bounds[i] = first * (1L << i);
    }
    return bounds;
  }
}
