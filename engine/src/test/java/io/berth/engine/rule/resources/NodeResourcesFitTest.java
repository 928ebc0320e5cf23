package io.berth.engine.rule.resources;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What a node has left of every resource.
class NodeResourcesFitTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "there is enough",
              offering("{'cpu':'2','pods':'9'}"),
              asking("{'cpu':'2'}"),
              List.of()),
          new Case(
              "too little is offered",
              offering("{'cpu':'1','pods':'9'}"),
              asking("{'cpu':'2'}"),
              List.of("Insufficient cpu")),
          new Case(
              "too little is left",
              offering("{'cpu':'2','pods':'9'}").running("n", "", containers("{'cpu':'1'}")),
              asking("{'cpu':'1500m'}"),
              List.of("Insufficient cpu")),
          new Case(
              "no place for a pod",
              offering("{'cpu':'2','pods':'1'}").running("n", "", ""),
              pod(""),
              List.of("Too many pods")),
          new Case(
              "several at once",
              offering("{'cpu':'1','memory':'1Gi','pods':'0'}"),
              asking("{'cpu':'2','memory':'2Gi'}"),
              List.of("Too many pods", "Insufficient cpu", "Insufficient memory")),
          new Case(
              "a resource nobody offers",
              offering("{'cpu':'1','pods':'9'}"),
              asking("{'example.com/gpu':'1'}"),
              List.of("Insufficient example.com/gpu")),
          new Case(
              "disk",
              offering("{'cpu':'1','pods':'9','ephemeral-storage':'1Gi'}"),
              asking("{'ephemeral-storage':'2Gi'}"),
              List.of("Insufficient ephemeral-storage")),
          new Case(
              "nothing is asked of a full node",
              offering("{'cpu':'1','pods':'9'}").running("n", "", containers("{'cpu':'1'}")),
              pod(""),
              List.of()));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("NodeResourcesFit");
  }

  @Test
  void blamesAsFewAsDo() {
    var rule =
        offering("{'cpu':'4','pods':'9'}")
            .running("n", "'a':'1'", containers("{'cpu':'1'}"))
            .running("n", "'a':'2'", containers("{'cpu':'2'}"))
            .running("n", "'a':'3'", containers("{'cpu':'1'}"));

    assertThat(rule.blamed("n", asking("{'cpu':'1'}"))).hasSize(1);
    assertThat(rule.blamed("n", asking("{'cpu':'2'}"))).hasSize(1);
    assertThat(rule.blamed("n", asking("{'cpu':'3'}"))).hasSize(2);
    assertThat(rule.blamed("n", asking("{'cpu':'5'}"))).isEmpty();
  }

  @Test
  void prefersWhereMuchIsLeft() {
    var offer = OneRule.status("{'cpu':'4','memory':'4Gi','pods':'9'}");
    var rule =
        rule()
            .node("a", "", offer)
            .node("b", "", offer)
            .running("b", "", containers("{'cpu':'2','memory':'2Gi'}"));

    assertThat(rule.scores(asking("{'cpu':'1','memory':'1Gi'}"))).containsExactly(75L, 25L);
  }

  private static OneRule offering(String allocatable) {
    return rule().node("n", "", OneRule.status(allocatable));
  }

  private static Pod asking(String requests) {
    return pod(containers(requests));
  }

  private static String containers(String requests) {
    return "'containers':[{'name':'c','resources':{'requests':%s}}]".formatted(requests);
  }
}
