package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class QuantityTest {

  record Case(String text, long value, long milliValue, String canonical) {}

  static final List<Case> CASES =
      List.of(
          new Case("0", 0, 0, "0"),
          new Case("100m", 1, 100, "100m"),
          new Case("1500m", 2, 1500, "1500m"),
          new Case("2000m", 2, 2000, "2"),
          new Case("1.5", 2, 1500, "1500m"),
          new Case("0.5Gi", 536870912, 536870912000L, "512Mi"),
          new Case("1.5Gi", 1610612736, 1610612736000L, "1536Mi"),
          new Case("1Ki", 1024, 1024000, "1Ki"),
          new Case("1000Ki", 1024000, 1024000000, "1000Ki"),
          new Case("1k", 1000, 1000000, "1k"),
          new Case("12e6", 12000000, 12000000000L, "12e6"),
          new Case("12E6", 12000000, 12000000000L, "12e6"),
          new Case("m", 0, 0, "0"),
          new Case(".", 0, 0, "0"),
          new Case("-", 0, 0, "0"),
          new Case("0.3Ki", 308, 307200, "307200m"),
          new Case("1E", 1000000000000000000L, Long.MAX_VALUE, "1E"),
          new Case("1n", 1, 1, "1n"),
          new Case("0.1n", 1, 1, "1n"),
          new Case("1e-30", 1, 1, "1e-9"),
          new Case("-1.5", -2, -1500, "-1500m"),
          new Case("+5", 5, 5000, "5"),
          new Case("007", 7, 7000, "7"),
          new Case("1.", 1, 1000, "1"),
          new Case(".5", 1, 500, "500m"),
          new Case("16Ei", Long.MAX_VALUE, Long.MAX_VALUE, "9223372036854775807"),
          new Case("1e999999999", Long.MAX_VALUE, Long.MAX_VALUE, "10e39"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void reads(Case c) {
    var quantity = Quantity.parse(c.text());

    assertThat(quantity.value()).isEqualTo(c.value());
    assertThat(quantity.milliValue()).isEqualTo(c.milliValue());
    assertThat(quantity.toString()).isEqualTo(c.canonical());
  }

  static final List<String> BAD =
      List.of("", "1Gb", "1 Gi", "1e", "--1", "1.2.3", "1ki", "1Mi1", "0x10", "1Gi ", "１");

  @ParameterizedTest(name = "\"{0}\"")
  @FieldSource("BAD")
  void refuses(String text) {
    assertThatThrownBy(() -> Quantity.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  record Comparison(String smaller, String larger) {}

  static final List<Comparison> COMPARISONS =
      List.of(
          new Comparison("999m", "1"),
          new Comparison("1k", "1Ki"),
          new Comparison("-1", "0"),
          new Comparison("1G", "1Gi"));

  @ParameterizedTest
  @FieldSource("COMPARISONS")
  void compares(Comparison c) {
    assertThat(Quantity.parse(c.smaller())).isLessThan(Quantity.parse(c.larger()));
  }
}
