package io.berth.engine.rule.affinity;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Company a pod wants, avoids, or is not wanted in.
class InterPodAffinityTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String ALONE = "node(s) didn't match pod affinity rules";
  private static final String CROWDED = "node(s) didn't match pod anti-affinity rules";
  private static final String UNWANTED = "node(s) didn't satisfy existing pods anti-affinity rules";

  static final List<Case> CASES =
      List.of(
          new Case("no terms", zones(), pod(""), List.of()),
          new Case(
              "company in the zone",
              zones().running("m", "'app':'web'", ""),
              wants("podAffinity", "web", "zone"),
              List.of()),
          new Case(
              "company elsewhere",
              zones().running("far", "'app':'web'", ""),
              wants("podAffinity", "web", "zone"),
              List.of(ALONE)),
          new Case(
              "company in the zone, not on the host",
              zones().running("m", "'app':'web'", ""),
              wants("podAffinity", "web", "host"),
              List.of(ALONE)),
          new Case(
              "the first of its kind", zones(), wants("podAffinity", "own", "zone"), List.of()),
          new Case(
              "no label",
              rule().node("n", ""),
              wants("podAffinity", "own", "zone"),
              List.of(ALONE)),
          new Case(
              "avoided in the zone",
              zones().running("m", "'app':'web'", ""),
              wants("podAntiAffinity", "web", "zone"),
              List.of(CROWDED)),
          new Case(
              "avoided elsewhere",
              zones().running("far", "'app':'web'", ""),
              wants("podAntiAffinity", "web", "zone"),
              List.of()),
          new Case(
              "not wanted in the zone",
              zones().running("m", "", spec("podAntiAffinity", "own", "zone")),
              pod("'app':'own'", ""),
              List.of(UNWANTED)),
          new Case(
              "not wanted elsewhere",
              zones().running("far", "", spec("podAntiAffinity", "own", "zone")),
              pod("'app':'own'", ""),
              List.of()));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("InterPodAffinity");
  }

  @Test
  void blamesWhoIsNear() {
    var rule = zones().running("m", "'app':'web'", "").running("far", "'app':'web'", "");
    var pod = wants("podAntiAffinity", "web", "zone");

    assertThat(rule.blamed("n", pod)).singleElement().asString().startsWith("default/on-m-");
    assertThat(rule.fields("n", pod))
        .containsExactly(
            "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]");
  }

  /// `n` and `m` are in one zone, `far` in another.
  private static OneRule zones() {
    return rule()
        .node("n", "'zone':'1','host':'n'")
        .node("m", "'zone':'1','host':'m'")
        .node("far", "'zone':'2','host':'far'");
  }

  private static Pod wants(String kind, String app, String key) {
    return pod("'app':'own'", spec(kind, app, key));
  }

  private static String spec(String kind, String app, String key) {
    return ("'affinity':{'%s':{'requiredDuringSchedulingIgnoredDuringExecution':"
            + "[{'topologyKey':'%s','labelSelector':{'matchLabels':{'app':'%s'}}}]}}")
        .formatted(kind, key, app);
  }
}
