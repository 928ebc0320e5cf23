package io.berth.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// The bytes were worked out by hand from Prometheus' message definitions.
class ProtobufPageTest {

  private static final String PROTOBUF =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";

  @Test
  void aFamilyOfCountersIsOneDelimitedMessage() {
    var page = Page.accepted(PROTOBUF);
    page.family("n", Page.Type.COUNTER, "h");
    page.value("a=\"b\",c=\"\"", 2);

    assertThat(hex(page))
        .isEqualTo(
            "24" // 36 bytes follow
                + "0a016e" // name
                + "120168" // help
                + "1800" // counter
                + "221a" // a metric
                + "0a060a0161120162" // a=b
                + "0a050a01631200" // c is empty
                + "1a09090000000000000040"); // 2.0
  }

  @Test
  void aHistogramHasItsNativeBucketsToo() {
    var histogram = new Histogram();
    histogram.add(1_000); // a microsecond: nothing
    histogram.add(1_000_000_000); // bucket 0
    histogram.add(1_000_000_000);
    histogram.add(1_000_000_001); // bucket 1
    histogram.add(2_000_000_000); // bucket 8
    var page = Page.accepted(PROTOBUF);
    page.family("n", Page.Type.HISTOGRAM, "h");
    page.histogram("", histogram);

    assertThat(hex(page))
        .contains("0805" + "11") // five, then their sum
        .contains("1a0b0801117b14ae47e17a743f") // one up to 5 ms
        .endsWith(
            "2806" // schema 3
                + "31000000000000103f" // nothing is up to 2^-14
                + "3801" // one of it
                + "620408001002" // two buckets from 0 on
                + "6204080c1001" // six later, one more
                + "6804" // 2
                + "6801" // one less
                + "6800"); // as many
  }

  @Test
  void whoDoesNotAskForProtobufGetsText() {
    assertThat(Page.accepted("*/*").contentType()).startsWith("text/plain");
    assertThat(Page.accepted("").contentType()).startsWith("text/plain");
    assertThat(Page.accepted("application/vnd.google.protobuf;encoding=text").contentType())
        .startsWith("text/plain");
  }

  private static String hex(Page page) {
    return HexFormat.of().formatHex(page.bytes());
  }
}
