package io.berth.server.metrics;

/// What a scrape is answered with, family by family.
///
/// Labels are in the text form, `name="value"` with commas between; values have no quotes.
public interface Page {

  enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM
  }

  /// Begins a family; what follows belongs to it.
  void family(String name, Type type, String help);

  void value(String labels, long value);

  void histogram(String labels, Histogram histogram);

  String contentType();

  /// The whole page. Nothing is written afterwards.
  byte[] bytes();

  /// The form that fits an `Accept` header, as Prometheus and its clients send it.
  static Page accepted(String accept) {
    boolean protobuf =
        accept.contains("application/vnd.google.protobuf")
            && accept.contains("io.prometheus.client.MetricFamily")
            && accept.contains("encoding=delimited");
    return protobuf ? new ProtobufPage() : new TextPage();
  }
}
