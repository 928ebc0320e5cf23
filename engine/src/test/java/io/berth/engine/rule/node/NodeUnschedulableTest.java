package io.berth.engine.rule.node;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Cordoned nodes, and pods that do not mind.
class NodeUnschedulableTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String CORDONED = ",'spec':{'unschedulable':true}";
  private static final String REASON = "node(s) were unschedulable";

  static final List<Case> CASES =
      List.of(
          new Case("an open node", rule().node("n", ""), pod(""), List.of()),
          new Case("a cordoned one", rule().node("n", "", CORDONED), pod(""), List.of(REASON)),
          new Case(
              "everything is tolerated",
              rule().node("n", "", CORDONED),
              pod("'tolerations':[{'operator':'Exists'}]"),
              List.of()),
          new Case(
              "the taint is tolerated",
              rule().node("n", "", CORDONED),
              tolerating("NoSchedule"),
              List.of()),
          new Case(
              "another effect is tolerated",
              rule().node("n", "", CORDONED),
              tolerating("NoExecute"),
              List.of(REASON)));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("NodeUnschedulable");
  }

  private static Pod tolerating(String effect) {
    return pod(
        "'tolerations':[{'key':'node.kubernetes.io/unschedulable','operator':'Exists','effect':'%s'}]"
            .formatted(effect));
  }
}
