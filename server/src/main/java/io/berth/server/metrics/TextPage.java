package io.berth.server.metrics;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Prometheus' text form, line by line.
final class TextPage implements Page {

  private final StringBuilder text = new StringBuilder();
  private String family = "";

  @Override
  public void family(String name, Type type, String help) {
    family = name;
    text.append(
        "# HELP %s %s\n# TYPE %s %s\n"
            .formatted(name, help, name, type.name().toLowerCase(Locale.ROOT)));
  }

  @Override
  public void value(String labels, long value) {
    line("", labels, String.valueOf(value));
  }

  @Override
  public void histogram(String labels, Histogram histogram) {
    long sum = 0;
    for (int i = 0; i <= Histogram.bounds(); i++) {
      sum += histogram.count(i);
      var bound = i == Histogram.bounds() ? "+Inf" : number(Histogram.bound(i));
      line("_bucket", labels + ",le=\"" + bound + "\"", String.valueOf(sum));
    }
    line("_sum", labels, String.format(Locale.ROOT, "%.6f", histogram.seconds()));
    line("_count", labels, String.valueOf(sum));
  }

  private static String number(double bound) {
    return bound == Math.rint(bound) ? String.valueOf((long) bound) : String.valueOf(bound);
  }

  private void line(String suffix, String labels, String value) {
    text.append(family).append(suffix);
    if (!labels.isEmpty()) {
      text.append('{').append(labels).append('}');
    }
    text.append(' ').append(value).append('\n');
  }

  @Override
  public String contentType() {
    return "text/plain; version=0.0.4; charset=utf-8";
  }

  @Override
  public byte[] bytes() {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
