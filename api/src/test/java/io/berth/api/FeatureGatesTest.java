package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class FeatureGatesTest {

  record Case(String text, String complaint) {}

  /// What kube-apiserver 1.37 says after `invalid argument … for "--feature-gates" flag: `.
  static final List<Case> REFUSED =
      List.of(
          new Case("Nope=true", "unrecognized feature gate: Nope"),
          new Case("GenericWorkload=true,Nope=false", "unrecognized feature gate: Nope"),
          new Case("GenericWorkload", "missing bool value for GenericWorkload"),
          new Case(
              "GenericWorkload=yes",
              "invalid value of GenericWorkload=yes, err: strconv.ParseBool: parsing \"yes\": invalid"
                  + " syntax"));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void refuses(Case c) {
    assertThatThrownBy(() -> FeatureGates.parse(c.text())).hasMessage(c.complaint());
  }

  @Test
  void theLastWordCounts() {
    assertThat(FeatureGates.parse("").on()).isEmpty();
    assertThat(FeatureGates.parse(" GenericWorkload = true ,").on())
        .containsExactly("GenericWorkload");
    assertThat(FeatureGates.parse("GenericWorkload=1,GenericWorkload=False").on()).isEmpty();
  }
}
