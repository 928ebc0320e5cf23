package io.berth.kinds.meta;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT-1S, 0s",
    "PT-3S, <invalid>",
    "PT119S, 119s",
    "PT2M, 2m",
    "PT9M59S, 9m59s",
    "PT10M5S, 10m",
    "PT2H59M, 179m",
    "PT3H, 3h",
    "PT7H5M, 7h5m",
    "PT47H, 47h",
    "PT51H, 2d3h",
    "P8D, 8d",
    "P729D, 729d",
    "P730D, 2y",
    "P733D, 2y3d",
    "P3000D, 8y"
  })
  void showsTwoUnitsWhileTheFirstIsSmall(Duration duration, String expected) {
    assertThat(Ages.of(duration)).isEqualTo(expected);
  }
}
