package io.berth.engine.rule.device;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Pods that need claims of devices are held back.
class DynamicResourcesTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("no claims", rule().node("n", ""), pod(""), List.of()),
          new Case(
              "a claim",
              rule().node("n", ""),
              pod("'resourceClaims':[{'name':'gpu'}]"),
              List.of(
                  "pod needs dynamic resource claims [gpu], which this scheduler does not allocate")));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("DynamicResources");
  }
}
