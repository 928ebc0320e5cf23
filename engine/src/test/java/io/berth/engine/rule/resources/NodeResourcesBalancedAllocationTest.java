package io.berth.engine.rule.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Nodes are scored by whether a pod makes their use more even, from 50 on.
class NodeResourcesBalancedAllocationTest {

  /// What runs on the second of two equal nodes, what the pod asks for, and the scores of both.
  record Case(String name, String running, String requests, List<Long> scores) {

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("nothing is asked", "{'cpu':'2'}", "{}", List.of()),
          new Case("even on even", "{'cpu':'1','memory':'1Gi'}", evenly(), List.of(75L, 75L)),
          new Case("evens out", "{'cpu':'2'}", "{'memory':'2Gi'}", List.of(62L, 87L)),
          new Case("makes it worse", "{'cpu':'1'}", "{'cpu':'2'}", List.of(62L, 62L)));

  private static String evenly() {
    return "{'cpu':'1','memory':'1Gi'}";
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void scores(Case c) {
    var offer = OneRule.status("{'cpu':'4','memory':'4Gi','pods':'9'}");
    var rule =
        new OneRule("NodeResourcesBalancedAllocation")
            .node("a", "", offer)
            .node("b", "", offer)
            .running("b", "", containers(c.running()));

    assertThat(rule.scores(OneRule.pod(containers(c.requests())))).isEqualTo(c.scores());
  }

  private static String containers(String requests) {
    return "'containers':[{'name':'c','resources':{'requests':%s}}]".formatted(requests);
  }
}
