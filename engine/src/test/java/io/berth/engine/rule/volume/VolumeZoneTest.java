package io.berth.engine.rule.volume;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Volumes in a zone, and nodes that are not.
class VolumeZoneTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String REASON = "node(s) had no available volume zone";
  private static final String ZONE = "'topology.kubernetes.io/zone':'%s'";

  private static final String BOUND =
      "{'metadata':{'name':'c','namespace':'default','annotations':"
          + "{'pv.kubernetes.io/bind-completed':'yes'}},'spec':{'volumeName':'v','storageClassName':'s'}}";
  private static final String CLAIM =
      "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c'}}]";

  static final List<Case> CASES =
      List.of(
          new Case("no volumes", rule().node("n", ""), pod(""), List.of()),
          new Case(
              "the same zone", storage("1").node("n", ZONE.formatted("1")), pod(CLAIM), List.of()),
          new Case(
              "another zone",
              storage("1").node("n", ZONE.formatted("2")),
              pod(CLAIM),
              List.of(REASON)),
          new Case(
              "one of several zones",
              storage("1__2").node("n", ZONE.formatted("2")),
              pod(CLAIM),
              List.of()),
          new Case("a node without zone", storage("1").node("n", ""), pod(CLAIM), List.of()));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("VolumeZone");
  }

  private static OneRule storage(String zone) {
    var volume = "{'metadata':{'name':'v','labels':{%s}}}".formatted(ZONE.formatted(zone));
    return rule().put("PersistentVolume", volume).put("PersistentVolumeClaim", BOUND);
  }
}
