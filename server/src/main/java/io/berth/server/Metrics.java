package io.berth.server;

import io.berth.server.access.FlowSchemas;
import io.berth.server.http.Answer;
import io.berth.server.metrics.Histogram;
import io.berth.server.metrics.Page;
import io.berth.server.metrics.Page.Type;
import io.berth.server.request.RequestInfo;
import io.berth.store.Store;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// `/metrics`: what the server has answered, in a form that Prometheus reads and under the names,
/// labels and buckets that kube-apiserver uses.
final class Metrics {

  /// Series beyond this are counted together: labels come from requests.
  private static final int MAX_SERIES = 2000;

  private final Store store;
  private final Lanes lanes;
  private final FlowSchemas flows;
  private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  private final Map<String, Histogram> durations = new ConcurrentHashMap<>();

  Metrics(Store store, Lanes lanes, FlowSchemas flows) {
    this.flows = flows;
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

  Answer answer(String accept) {
    var page = Page.accepted(accept);
    page.family("apiserver_request_total", Type.COUNTER, "Requests answered.");
    requests.forEach((labels, count) -> page.value(labels, count.sum()));
    page.family(
        "apiserver_request_duration_seconds", Type.HISTOGRAM, "Time until the answer was made.");
    durations.forEach(page::histogram);
    page.family("apiserver_current_inflight_requests", Type.GAUGE, "Requests being served now.");
    page.value("request_kind=\"mutating\"", lanes.writesInFlight());
    page.value("request_kind=\"readOnly\"", lanes.readsInFlight());
    page.family(
        "apiserver_longrunning_requests", Type.GAUGE, "Watches and followed logs open now.");
    page.value("", lanes.streamsOpen());
    page.family(
        "apiserver_flowcontrol_nominal_limit_seats",
        Type.GAUGE,
        "Share of a priority level in all requests at a time; for information, nothing waits for"
            + " it.");
    flows
        .seats(Limits.READS + Limits.WRITES)
        .forEach((level, seats) -> page.value("priority_level=\"" + level + "\"", seats));
    page.family("berth_store_revision", Type.GAUGE, "The newest revision.");
    page.value("", store.revision());
    page.family("process_start_time_seconds", Type.GAUGE, "When the process started.");
    page.value("", ManagementFactory.getRuntimeMXBean().getStartTime() / 1000);
    return Answer.of(200, page.contentType(), page.bytes());
  }
}
