package io.berth.server.metrics;

import io.berth.schema.protobuf.WireWriter;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Prometheus' protobuf form: one `io.prometheus.client.MetricFamily` after the other, each
/// preceded by its length. Histograms come with their native buckets, which the text form lacks.
///
/// Fields are written in reverse, as [WireWriter] wants them.
final class ProtobufPage implements Page {

  private static final Pattern LABEL = Pattern.compile("([^=,]+)=\"([^\"]*)\"");

  private final ByteArrayOutputStream page = new ByteArrayOutputStream();
  private final List<byte[]> metrics = new ArrayList<>();
  private String name = "";
  private String help = "";
  private Type type = Type.COUNTER;

  @Override
  public void family(String name, Type type, String help) {
    finish();
    this.name = name;
    this.type = type;
    this.help = help;
  }

  @Override
  public void value(String labels, long value) {
    var out = new WireWriter(128);
    out.real(1, (double) value);
    out.close(type == Type.COUNTER ? 3 : 2, 0);
    labels(out, labels);
    metrics.add(out.toBytes());
  }

  @Override
  public void histogram(String labels, Histogram histogram) {
    var out = new WireWriter(512);
    natives(out, histogram);
    long sum = classic(out, histogram);
    out.real(2, histogram.seconds());
    out.number(1, sum);
    out.close(7, 0);
    labels(out, labels);
    metrics.add(out.toBytes());
  }

  /// Spans of buckets without gaps between them, and for each bucket how its count differs from the
  /// one before.
  private static void natives(WireWriter out, Histogram histogram) {
    var spans = new ArrayList<int[]>();
    var deltas = new ArrayList<Long>();
    long before = 0;
    int end = 0;
    for (int i = Histogram.firstNative(); i <= Histogram.lastNative(); i++) {
      long count = histogram.nativeCount(i);
      if (count == 0) {
        continue;
      }
      if (spans.isEmpty() || i != end) {
        spans.add(new int[] {i - end, 0});
      }
      spans.getLast()[1]++;
      end = i + 1;
      deltas.add(count - before);
      before = count;
    }
    for (var delta : deltas.reversed()) {
      out.number(13, zigzag(delta));
    }
    for (var span : spans.reversed()) {
      int mark = out.mark();
      out.number(2, span[1]);
      out.number(1, zigzag(span[0]));
      out.close(12, mark);
    }
    out.number(7, histogram.zeros());
    out.real(6, Histogram.ZERO);
    out.number(5, zigzag(Histogram.SCHEMA));
  }

  /// Returns how many there are, those above all bounds included.
  private static long classic(WireWriter out, Histogram histogram) {
    var upTo = new long[Histogram.bounds() + 1];
    long sum = 0;
    for (int i = 0; i < upTo.length; i++) {
      sum += histogram.count(i);
      upTo[i] = sum;
    }
    for (int i = Histogram.bounds() - 1; i >= 0; i--) {
      int mark = out.mark();
      out.real(2, Histogram.bound(i));
      out.number(1, upTo[i]);
      out.close(3, mark);
    }
    return sum;
  }

  private static void labels(WireWriter out, String labels) {
    for (var label : LABEL.matcher(labels).results().toList().reversed()) {
      int mark = out.mark();
      out.text(2, label.group(2));
      out.text(1, label.group(1));
      out.close(1, mark);
    }
  }

  private static long zigzag(long value) {
    return value << 1 ^ value >> 63;
  }

  private static int code(Type type) {
    return switch (type) {
      case COUNTER -> 0;
      case GAUGE -> 1;
      case HISTOGRAM -> 4;
    };
  }

  private void finish() {
    if (!metrics.isEmpty()) {
      var out = new WireWriter(1024);
      for (var metric : metrics.reversed()) {
        out.delimited(4, metric);
      }
      out.number(3, code(type));
      out.text(2, help);
      out.text(1, name);
      out.varint(out.mark());
      page.writeBytes(out.toBytes());
    }
    metrics.clear();
  }

  @Override
  public String contentType() {
    return "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
        + " encoding=delimited";
  }

  @Override
  public byte[] bytes() {
    finish();
    return page.toByteArray();
  }
}
