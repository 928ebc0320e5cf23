package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoNumbersTest {

  @ParameterizedTest
  @CsvSource({
    "0.5, 0.5",
    "10, 10",
    "100000, 100000",
    "1000000, 1e+06",
    "123456789, 1.23456789e+08",
    "1e21, 1e+21",
    "0.0001, 0.0001",
    "0.00001, 1e-05",
    "-3.25, -3.25",
    "-1000000.5, -1.0000005e+06"
  })
  void printsAsGoDoes(double number, String expected) {
    assertThat(GoNumbers.text(number)).isEqualTo(expected);
  }
}
