package io.berth.engine.rule.node;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Pods that need a feature of the node.
class NodeDeclaredFeaturesTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String REASON = "node(s) didn't match Pod's required features";
  private static final String NEEDS = "'hostNetwork':true,'hostUsers':false";

  static final List<Case> CASES =
      List.of(
          new Case("nothing is needed", rule().node("n", ""), pod(""), List.of()),
          new Case("nothing is declared", rule().node("n", ""), pod(NEEDS), List.of(REASON)),
          new Case(
              "another feature",
              rule().node("n", "", declaring("GuaranteedQoSPodCPUResize")),
              pod(NEEDS),
              List.of(REASON)),
          new Case(
              "the feature",
              rule().node("n", "", declaring("UserNamespacesHostNetworkSupport")),
              pod(NEEDS),
              List.of()));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("NodeDeclaredFeatures");
  }

  private static String declaring(String feature) {
    return ",'status':{'allocatable':{'cpu':'9','pods':'9'},'declaredFeatures':['%s']}"
        .formatted(feature);
  }
}
