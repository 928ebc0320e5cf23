package io.berth.server;

import io.berth.server.http.Answer;
import io.berth.server.request.RequestInfo;
import io.berth.store.Store;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// `/metrics`: what the server has answered, in Prometheus' text form and under the names, labels
/// and buckets that kube-apiserver uses.
final class Metrics {

  /// Series beyond this are counted together: labels come from requests.
  private static final int MAX_SERIES = 2000;

  private final Store store;
  private final Lanes lanes;
  private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  private final Map<String, Histogram> durations = new ConcurrentHashMap<>();

  Metrics(Store store, Lanes lanes) {
    this.store = store;
    this.lanes = lanes;
  }

  void served(RequestInfo info, int code, long nanos) {
    var labels = labels(info, code);
    var counted = labels + ",code=\"%d\"".formatted(code);
    if (requests.size() >= MAX_SERIES && !requests.containsKey(counted)) {
      labels = "verb=\"OTHER\"";
      counted = labels + ",code=\"%d\"".formatted(code);
    }
    requests.computeIfAbsent(counted, _ -> new LongAdder()).increment();
    // How long a watch lasts says nothing about the server.
    if (!info.verb().equals("watch")) {
      durations.computeIfAbsent(labels, _ -> new Histogram()).add(nanos);
    }
  }

  private static String labels(RequestInfo info, int code) {
    return "component=\"apiserver\",group=\"%s\",resource=\"%s\",scope=\"%s\",subresource=\"%s\",verb=\"%s\",version=\"%s\""
        .formatted(
            known(info.group(), code),
            known(info.resource(), code),
            scope(info),
            known(info.subresource(), code),
            info.verb().toUpperCase(Locale.ROOT),
            known(info.version(), code));
  }

  private static String scope(RequestInfo info) {
    if (!info.isResource()) {
      return "";
    }
    if (!info.name().isEmpty()) {
      return "resource";
    }
    return info.namespace().isEmpty() ? "cluster" : "namespace";
  }

  /// A name that may be made up is not shown: whatever was not found has none.
  private static String known(String name, int code) {
    return code == 404 || code == 400 ? "" : name.replaceAll("[^a-zA-Z0-9.-]", "");
  }

  Answer answer() {
    var page = new Page();
    page.head("apiserver_request_total", "counter", "Requests answered.");
    requests.forEach((labels, count) -> page.line("apiserver_request_total", labels, count.sum()));
    page.head("apiserver_request_duration_seconds", "histogram", "Time until the answer was made.");
    durations.forEach((labels, histogram) ->
        histogram.writeTo(page, "apiserver_request_duration_seconds", labels));
    page.head("apiserver_current_inflight_requests", "gauge", "Requests being served now.");
    page.line(
        "apiserver_current_inflight_requests", "request_kind=\"mutating\"", lanes.writesInFlight());
    page.line(
        "apiserver_current_inflight_requests", "request_kind=\"readOnly\"", lanes.readsInFlight());
    page.head("apiserver_longrunning_requests", "gauge", "Watches and followed logs open now.");
    page.line("apiserver_longrunning_requests", "", lanes.streamsOpen());
    page.head("berth_store_revision", "gauge", "The newest revision.");
    page.line("berth_store_revision", "", store.revision());
    page.head("process_start_time_seconds", "gauge", "When the process started.");
    page.line(
        "process_start_time_seconds",
        "",
        ManagementFactory.getRuntimeMXBean().getStartTime() / 1000);
    return Answer.of(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        page.text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /// The text form, line by line.
  private static final class Page {

    private final StringBuilder text = new StringBuilder();

    void head(String name, String type, String help) {
      text.append("# HELP %s %s\n# TYPE %s %s\n".formatted(name, help, name, type));
    }

    void line(String name, String labels, long value) {
      line(name, labels, String.valueOf(value));
    }

    void line(String name, String labels, String value) {
      text.append(name);
      if (!labels.isEmpty()) {
        text.append('{').append(labels).append('}');
      }
      text.append(' ').append(value).append('\n');
    }
  }

  /// Durations by upper bound.
  private static final class Histogram {

    private static final double[] BOUNDS = {
      0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30,
      45, 60
    };

    private final LongAdder[] counts = new LongAdder[BOUNDS.length + 1];
    private final LongAdder nanos = new LongAdder();

    Histogram() {
      for (int i = 0; i < counts.length; i++) {
        counts[i] = new LongAdder();
      }
    }

    void add(long took) {
      int bucket = 0;
      while (bucket < BOUNDS.length && took > BOUNDS[bucket] * 1e9) {
        bucket++;
      }
      counts[bucket].increment();
      nanos.add(took);
    }

    void writeTo(Page page, String name, String labels) {
      long sum = 0;
      for (int i = 0; i <= BOUNDS.length; i++) {
        sum += counts[i].sum();
        var bound = i == BOUNDS.length ? "+Inf" : number(BOUNDS[i]);
        page.line(name + "_bucket", labels + ",le=\"" + bound + "\"", sum);
      }
      page.line(name + "_sum", labels, String.format(Locale.ROOT, "%.6f", nanos.sum() / 1e9));
      page.line(name + "_count", labels, sum);
    }

    private static String number(double bound) {
      return bound == Math.rint(bound) ? String.valueOf((long) bound) : String.valueOf(bound);
    }
  }
}
