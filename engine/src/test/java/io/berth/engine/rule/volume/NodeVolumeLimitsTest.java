package io.berth.engine.rule.volume;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// How many volumes of a driver a node attaches.
class NodeVolumeLimitsTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String REASON = "node(s) exceed max volume count";
  private static final String CLAIM =
      "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}]";

  static final List<Case> CASES =
      List.of(
          new Case("no volumes", limited(1), pod(""), List.of()),
          new Case(
              "room for one more",
              limited(2).running("n", "", CLAIM.formatted("a")),
              pod(CLAIM.formatted("b")),
              List.of()),
          new Case(
              "no room",
              limited(1).running("n", "", CLAIM.formatted("a")),
              pod(CLAIM.formatted("b")),
              List.of(REASON)),
          new Case(
              "the same volume again",
              limited(1).running("n", "", CLAIM.formatted("a")),
              pod(CLAIM.formatted("a")),
              List.of()),
          new Case(
              "attached already",
              limited(1)
                  .put(
                      "VolumeAttachment",
                      "{'metadata':{'name':'x'},'spec':{'attacher':'d','nodeName':'n','source':{'persistentVolumeName':'v-a'}}}"),
              pod(CLAIM.formatted("b")),
              List.of(REASON)));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("NodeVolumeLimits");
  }

  @Test
  void blamesWhoseVolumeTakesTheRoom() {
    var rule =
        limited(2)
            .running("n", "", CLAIM.formatted("a"))
            .running("n", "", CLAIM.formatted("c"))
            .running("n", "", "");

    assertThat(rule.blamed("n", pod(CLAIM.formatted("b")))).hasSize(1);
  }

  /// A node that attaches so many volumes, and three claims with volumes.
  private static OneRule limited(int count) {
    var rule =
        rule()
            .node("n", "")
            .put(
                "CSINode",
                "{'metadata':{'name':'n'},'spec':{'drivers':[{'name':'d','allocatable':{'count':%d}}]}}"
                    .formatted(count));
    for (var name : List.of("a", "b", "c")) {
      rule.put(
              "PersistentVolume",
              "{'metadata':{'name':'v-%s'},'spec':{'csi':{'driver':'d','volumeHandle':'h-%s'}}}"
                  .formatted(name, name))
          .put(
              "PersistentVolumeClaim",
              ("{'metadata':{'name':'%s','namespace':'default','annotations':"
                      + "{'pv.kubernetes.io/bind-completed':'yes'}},'spec':{'volumeName':'v-%s'}}")
                  .formatted(name, name));
    }
    return rule;
  }
}
