package io.berth.engine.rule.spread;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// How evenly pods lie over zones.
class PodTopologySpreadTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String SKEWED = "node(s) didn't match pod topology spread constraints";
  private static final String MISSING =
      "node(s) didn't match pod topology spread constraints (missing required label)";

  static final List<Case> CASES =
      List.of(
          new Case("nobody is there", zones(0, 0), spread(1, "DoNotSchedule", ""), List.of()),
          new Case(
              "one more than elsewhere",
              zones(1, 0),
              spread(1, "DoNotSchedule", ""),
              List.of(SKEWED)),
          new Case("as many as elsewhere", zones(1, 1), spread(1, "DoNotSchedule", ""), List.of()),
          new Case(
              "a skew that is allowed", zones(1, 0), spread(2, "DoNotSchedule", ""), List.of()),
          new Case("only a wish", zones(3, 0), spread(1, "ScheduleAnyway", ""), List.of()),
          new Case(
              "no label", rule().node("n", ""), spread(1, "DoNotSchedule", ""), List.of(MISSING)),
          new Case(
              "any skew is allowed, and the node is not among those that count",
              zones(0, 3),
              onlyFar(Integer.MAX_VALUE),
              List.of()),
          new Case(
              "too few domains",
              zones(1, 1),
              spread(1, "DoNotSchedule", ",'minDomains':3"),
              List.of(SKEWED)));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("PodTopologySpread");
  }

  @Test
  void blamesAsManyAsAreTooMany() {
    assertThat(zones(3, 0).blamed("n", spread(1, "DoNotSchedule", ""))).hasSize(3);
    assertThat(zones(3, 1).blamed("n", spread(2, "DoNotSchedule", ""))).hasSize(1);
  }

  @Test
  void prefersWhereFewAre() {
    assertThat(zones(2, 0).scores(spread(1, "ScheduleAnyway", ""))).containsExactly(100L, 0L);
  }

  /// So many pods on node `n` in one zone, and on `far` in the other.
  private static OneRule zones(int here, int there) {
    var rule = rule().node("n", "'zone':'1'").node("far", "'zone':'2'");
    for (int i = 0; i < here; i++) {
      rule.running("n", "'app':'web','i':'%d'".formatted(i), "");
    }
    for (int i = 0; i < there; i++) {
      rule.running("far", "'app':'web','i':'%d'".formatted(i), "");
    }
    return rule;
  }

  /// A pod that may go to the other zone only.
  private static Pod onlyFar(int maxSkew) {
    return pod(
        "'app':'web'",
        ("'nodeSelector':{'zone':'2'},'topologySpreadConstraints':[{'maxSkew':%d,"
                + "'topologyKey':'zone','whenUnsatisfiable':'DoNotSchedule',"
                + "'labelSelector':{'matchLabels':{'app':'web'}}}]")
            .formatted(maxSkew));
  }

  private static Pod spread(int maxSkew, String when, String more) {
    return pod(
        "'app':'web'",
        ("'topologySpreadConstraints':[{'maxSkew':%d,'topologyKey':'zone','whenUnsatisfiable':'%s',"
                + "'labelSelector':{'matchLabels':{'app':'web'}}%s}]")
            .formatted(maxSkew, when, more));
  }
}
