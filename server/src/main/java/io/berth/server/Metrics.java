package io.berth.server;

import io.berth.server.access.FlowSchemas;
import io.berth.server.budget.Memory;
import io.berth.server.budget.Processor;
import io.berth.server.budget.Use;
import io.berth.server.http.Answer;
import io.berth.server.metrics.Histogram;
import io.berth.server.metrics.Page;
import io.berth.server.request.RequestInfo;
import io.berth.store.Store;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// `/metrics`: what the server has answered, in a form that Prometheus reads and under the names,
/// labels and buckets that kube-apiserver uses.
final class Metrics {

  /// Series beyond this are counted together: labels come from requests.
  private static final int MAX_SERIES = 2000;

  /// Those who hold most are shown.
  private static final int MAX_OWNERS = 20;

  private final Store store;
  private final Lanes lanes;
  private final Memory memory;
  private final FlowSchemas flows;
  private final Map<Answered, Series> series = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  private final Map<String, Histogram> durations = new ConcurrentHashMap<>();

  Metrics(Store store, Lanes lanes, Memory memory, FlowSchemas flows) {
    this.flows = flows;
    this.memory = memory;
    this.store = store;
    this.lanes = lanes;
  }

  void served(RequestInfo info, int code, long nanos) {
    var answered = Answered.of(info, code);
    var known = series.get(answered);
    if (known == null) {
      known = series(answered);
      if (series.size() < MAX_SERIES) {
        series.put(answered, known);
      }
    }
    known.count.increment();
    if (known.duration != null) {
      known.duration.add(nanos);
    }
  }

  private Series series(Answered answered) {
    var labels = answered.labels();
    var code = ",code=\"%d\"".formatted(answered.code);
    if (requests.size() >= MAX_SERIES && !requests.containsKey(labels + code)) {
      labels = "verb=\"OTHER\"";
    }
    var count = requests.computeIfAbsent(labels + code, _ -> new LongAdder());
    // How long a watch lasts says nothing about the server.
    var duration =
        answered.verb.equals("watch")
            ? null
            : durations.computeIfAbsent(labels, _ -> new Histogram());
    return new Series(count, duration);
  }

  /// Where a request is counted.
  private record Series(LongAdder count, @Nullable Histogram duration) {}

  /// What of a request its labels tell.
  private record Answered(
      String group,
      String resource,
      String scope,
      String subresource,
      String verb,
      String version,
      int code) {

    static Answered of(RequestInfo info, int code) {
      // A name that may be made up is not shown: whatever was not found has none.
      boolean made = code == 404 || code == 400;
      return new Answered(
          made ? "" : info.group(),
          made ? "" : info.resource(),
          scopeOf(info),
          made ? "" : info.subresource(),
          info.verb(),
          made ? "" : info.version(),
          code);
    }

    String labels() {
      return "component=\"apiserver\",group=\"%s\",resource=\"%s\",scope=\"%s\",subresource=\"%s\",verb=\"%s\",version=\"%s\""
          .formatted(
              plain(group),
              plain(resource),
              scope,
              plain(subresource),
              verb.toUpperCase(Locale.ROOT),
              plain(version));
    }

    private static String scopeOf(RequestInfo info) {
      if (!info.isResource()) {
        return "";
      }
      if (!info.name().isEmpty()) {
        return "resource";
      }
      return info.namespace().isEmpty() ? "cluster" : "namespace";
    }

    private static String plain(String name) {
      return name.replaceAll("[^a-zA-Z0-9.-]", "");
    }
  }

  Answer answer(String accept) {
    var page = Page.accepted(accept);
    page.family("apiserver_request_total", Page.Type.COUNTER, "Requests answered.");
    requests.forEach((labels, count) -> page.value(labels, count.sum()));
    page.family(
        "apiserver_request_duration_seconds",
        Page.Type.HISTOGRAM,
        "Time until the answer was made.");
    durations.forEach(page::histogram);
    page.family(
        "apiserver_current_inflight_requests", Page.Type.GAUGE, "Requests being served now.");
    page.value("request_kind=\"mutating\"", lanes.writesInFlight());
    page.value("request_kind=\"readOnly\"", lanes.readsInFlight());
    page.family(
        "apiserver_longrunning_requests", Page.Type.GAUGE, "Watches and followed logs open now.");
    page.value("", lanes.streamsOpen());
    page.family(
        "apiserver_flowcontrol_nominal_limit_seats",
        Page.Type.GAUGE,
        "Share of a priority level in all requests at a time; for information, nothing waits for"
            + " it.");
    flows
        .seats(Limits.READS + Limits.WRITES)
        .forEach((level, seats) -> page.value("priority_level=\"" + level + "\"", seats));
    addBudgets(page);
    page.family("berth_store_revision", Page.Type.GAUGE, "The newest revision.");
    page.value("", store.revision());
    page.family("process_start_time_seconds", Page.Type.GAUGE, "When the process started.");
    page.value("", ManagementFactory.getRuntimeMXBean().getStartTime() / 1000);
    return Answer.of(200, page.contentType(), page.bytes());
  }

  private void addBudgets(Page page) {
    var budget = memory.budget();
    page.family(
        "berth_memory_limit_bytes", Page.Type.GAUGE, "Memory that all requests may hold at once.");
    page.value("", budget.capacity());
    page.family("berth_memory_bytes", Page.Type.GAUGE, "Memory that requests hold, by use.");
    for (var use : Use.values()) {
      page.value("use=\"" + use.label() + "\"", memory.inUse(use));
    }
    page.family(
        "berth_memory_owner_bytes", Page.Type.GAUGE, "Memory that requests hold, by owner.");
    largest(budget.owners()).forEach((owner, bytes) -> page.value(owner, bytes));
    page.family(
        "berth_memory_refusals_total", Page.Type.COUNTER, "Requests refused for memory, by owner.");
    budget.refusals().forEach((owner, count) -> page.value(label(owner), count));
    page.family(
        "berth_processor_share_permille",
        Page.Type.GAUGE,
        "What an owner that is slowed down may have of one processor.");
    Processor.SHARED
        .slowed()
        .forEach((owner, share) -> page.value(label(owner), Math.round(1000 * share)));
    page.family("berth_lane_refusals_total", Page.Type.COUNTER, "Requests refused by a full lane.");
    lanes
        .all()
        .forEach((lane, places) ->
            places
                .refusals()
                .forEach(
                    (owner, count) -> page.value("lane=\"" + lane + "\"," + label(owner), count)));
  }

  private static Map<String, Long> largest(Map<String, Long> owners) {
    var largest = new LinkedHashMap<String, Long>();
    owners.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(MAX_OWNERS)
        .forEach(each -> largest.put(label(each.getKey()), each.getValue()));
    return largest;
  }

  private static String label(String owner) {
    return "owner=\"" + owner.replaceAll("[^a-zA-Z0-9.:@_-]", "_") + "\"";
  }
}
