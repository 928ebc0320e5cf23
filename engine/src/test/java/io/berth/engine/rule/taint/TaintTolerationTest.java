package io.berth.engine.rule.taint;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Taints that repel a pod, and how many soft ones a score counts.
class TaintTolerationTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String REASON = "node(s) had untolerated taint(s)";

  static final List<Case> CASES =
      List.of(
          new Case("no taint", rule().node("n", ""), pod(""), List.of()),
          new Case("a hard taint", tainted("NoSchedule"), pod(""), List.of(REASON)),
          new Case("one that evicts", tainted("NoExecute"), pod(""), List.of(REASON)),
          new Case("a soft one", tainted("PreferNoSchedule"), pod(""), List.of()),
          new Case(
              "the value is tolerated",
              tainted("NoSchedule"),
              tolerating("Equal", "h100", ""),
              List.of()),
          new Case(
              "another value is tolerated",
              tainted("NoSchedule"),
              tolerating("Equal", "l4", ""),
              List.of(REASON)),
          new Case(
              "the key is tolerated",
              tainted("NoSchedule"),
              tolerating("Exists", "", "NoSchedule"),
              List.of()),
          new Case(
              "another effect is tolerated",
              tainted("NoSchedule"),
              tolerating("Exists", "", "NoExecute"),
              List.of(REASON)));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("TaintToleration");
  }

  @Test
  void prefersNodesWithFewSoftTaints() {
    var rule =
        rule()
            .node("a", "", taints("PreferNoSchedule"))
            .node("b", "", "")
            .node("c", "", taints("PreferNoSchedule", "PreferNoSchedule"));

    assertThat(rule.scores(pod(""))).containsExactly(50L, 100L, 0L);
  }

  private static OneRule tainted(String effect) {
    return rule().node("n", "", taints(effect));
  }

  private static String taints(String... effects) {
    var taints = new ArrayList<String>();
    for (var effect : effects) {
      taints.add(
          "{'key':'gpu%s','value':'h100','effect':'%s'}"
              .formatted(taints.isEmpty() ? "" : taints.size(), effect));
    }
    return ",'spec':{'taints':[%s]}".formatted(String.join(",", taints));
  }

  private static Pod tolerating(String operator, String value, String effect) {
    return pod(
        "'tolerations':[{'key':'gpu','operator':'%s','value':'%s','effect':'%s'}]"
            .formatted(operator, value, effect));
  }
}
