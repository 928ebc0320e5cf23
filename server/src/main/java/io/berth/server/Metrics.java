package io.berth.server;

import io.berth.server.http.Answer;
import io.berth.server.request.RequestInfo;
import io.berth.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// `/metrics`: what the server has answered, in Prometheus' text form and under the names that
/// kube-apiserver uses.
final class Metrics {

  /// Series beyond this are counted together: labels come from requests.
  private static final int MAX_SERIES = 2000;

  private final Store store;
  private final Map<String, Series> requests = new ConcurrentHashMap<>();

  Metrics(Store store) {
    this.store = store;
  }

  void served(RequestInfo info, int code, long nanos) {
    var labels =
        "verb=\"%s\",group=\"%s\",resource=\"%s\",subresource=\"%s\",code=\"%d\""
            .formatted(
                info.verb().toUpperCase(Locale.ROOT),
                known(info.group(), code),
                known(info.resource(), code),
                known(info.subresource(), code),
                code);
    if (requests.size() >= MAX_SERIES && !requests.containsKey(labels)) {
      labels =
          "verb=\"OTHER\",group=\"\",resource=\"\",subresource=\"\",code=\"%d\"".formatted(code);
    }
    requests.computeIfAbsent(labels, _ -> new Series()).add(nanos);
  }

  /// A name that may be made up is not shown: whatever was not found has none.
  private static String known(String name, int code) {
    return code == 404 || code == 400 ? "" : name.replaceAll("[^a-zA-Z0-9.-]", "");
  }

  Answer answer() {
    var text = new StringBuilder();
    text.append("# HELP apiserver_request_total Requests answered, by verb, resource and code.\n");
    text.append("# TYPE apiserver_request_total counter\n");
    requests.forEach((labels, series) ->
        text.append("apiserver_request_total{%s} %d\n".formatted(labels, series.count.sum())));
    text.append("# HELP apiserver_request_duration_seconds Time until the answer was made.\n");
    text.append("# TYPE apiserver_request_duration_seconds summary\n");
    requests.forEach((labels, series) -> {
      text.append(
          String.format(
              Locale.ROOT,
              "apiserver_request_duration_seconds_sum{%s} %.6f\n",
              labels,
              series.nanos.sum() / 1e9));
      text.append(
          "apiserver_request_duration_seconds_count{%s} %d\n"
              .formatted(labels, series.count.sum()));
    });
    text.append("# HELP berth_store_revision The newest revision.\n");
    text.append("# TYPE berth_store_revision gauge\n");
    text.append("berth_store_revision %d\n".formatted(store.revision()));
    return Answer.of(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static final class Series {

    final LongAdder count = new LongAdder();
    final LongAdder nanos = new LongAdder();

    void add(long took) {
      count.increment();
      nanos.add(took);
    }
  }
}
