package io.berth.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantitiesTest {

  @ParameterizedTest
  @CsvSource({
    "0.5, 500m",
    "1024Mi, 1Gi",
    "1e3, 1e3",
    "2G, 2G",
    "1000, 1k",
    "1000m, 1",
    "1500m, 1500m",
    "0.1Gi, 107374182400m",
    "1.5Gi, 1536Mi",
    "0.5Ki, 512",
    "128Mi, 128Mi",
    "0.1n, 1n",
    "+5, +5",
    "-0, 0",
    "00, 0",
    "5., 5.",
    "1e03, 1e03",
    "1e1, 10",
    "1e19, 10e18",
    "1e-9999, 1e-9",
    "123Ei, 9223372036854775807",
    "7.9Ei, 9108079886394091110400m",
    "-0.0001, -100u",
    "1.23456789012Gi, 1325607178189280379n"
  })
  void canonicalForm(String text, String canonical) {
    assertThat(Quantities.canonical(text)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource({
    "1e, suffix",
    "1Kii, suffix",
    "5i, suffix",
    "1x, regular",
    "'', regular",
    "Pi, numeric"
  })
  void refused(String text, String words) {
    assertThatThrownBy(() -> Quantities.canonical(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }
}
