package io.berth.engine.rule.affinity;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Labels a pod demands of a node, and those it would rather have.
class NodeAffinityTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String REASON = "node(s) didn't match Pod's node affinity/selector";

  static final List<Case> CASES =
      List.of(
          new Case("no demands", rule().node("n", ""), pod(""), List.of()),
          new Case(
              "the label is there",
              rule().node("n", "'disk':'ssd'"),
              pod("'nodeSelector':{'disk':'ssd'}"),
              List.of()),
          new Case(
              "another value",
              rule().node("n", "'disk':'hdd'"),
              pod("'nodeSelector':{'disk':'ssd'}"),
              List.of(REASON)),
          new Case(
              "one of two values",
              rule().node("n", "'disk':'hdd'"),
              requiring("disk", "In", "'ssd','hdd'"),
              List.of()),
          new Case(
              "none of the values",
              rule().node("n", "'disk':'tape'"),
              requiring("disk", "In", "'ssd','hdd'"),
              List.of(REASON)),
          new Case(
              "not in, and absent",
              rule().node("n", ""),
              requiring("disk", "NotIn", "'ssd'"),
              List.of()),
          new Case(
              "more than",
              rule().node("n", "'cores':'8'"),
              requiring("cores", "Gt", "'4'"),
              List.of()),
          new Case(
              "not more than",
              rule().node("n", "'cores':'4'"),
              requiring("cores", "Gt", "'4'"),
              List.of(REASON)),
          new Case(
              "no number",
              rule().node("n", "'cores':'many'"),
              requiring("cores", "Gt", "'4'"),
              List.of(REASON)),
          new Case(
              "absent as wanted",
              rule().node("n", ""),
              requiring("spot", "DoesNotExist", ""),
              List.of()),
          new Case("no term matches no node", rule().node("n", ""), required(""), List.of(REASON)),
          new Case(
              "one of two terms",
              rule().node("n", "'a':'1'"),
              required(
                  "{'matchExpressions':[{'key':'b','operator':'Exists'}]},{'matchExpressions':[{'key':'a','operator':'Exists'}]}"),
              List.of()));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("NodeAffinity");
  }

  @Test
  void prefersByTheSumOfWeights() {
    var rule = rule().node("a", "'x':'1'").node("b", "'x':'1','y':'1'").node("c", "");
    var terms = preferred("x", 30) + "," + preferred("y", 10);
    var spec =
        "'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[%s]}}"
            .formatted(terms);

    assertThat(rule.scores(pod(spec))).containsExactly(75L, 100L, 0L);
  }

  private static String preferred(String key, int weight) {
    return "{'weight':%d,'preference':{'matchExpressions':[{'key':'%s','operator':'Exists'}]}}"
        .formatted(weight, key);
  }

  private static Pod requiring(String key, String operator, String values) {
    return required(
        "{'matchExpressions':[{'key':'%s','operator':'%s','values':[%s]}]}"
            .formatted(key, operator, values));
  }

  private static Pod required(String terms) {
    return pod(
        ("'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                + "{'nodeSelectorTerms':[%s]}}}")
            .formatted(terms));
  }
}
