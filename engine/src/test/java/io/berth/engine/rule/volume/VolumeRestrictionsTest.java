package io.berth.engine.rule.volume;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Disks and claims that pods cannot share.
class VolumeRestrictionsTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String DISK = "node(s) had no available disk";
  private static final String IN_USE =
      "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already"
          + " in-use by another pod";

  private static final String CLAIM =
      "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c'}}]";

  static final List<Case> CASES =
      List.of(
          new Case("no disks", with(gce("d", false)), pod(""), List.of()),
          new Case("another disk", with(gce("d", false)), pod(gce("e", false)), List.of()),
          new Case("the same disk", with(gce("d", false)), pod(gce("d", false)), List.of(DISK)),
          new Case("both only read", with(gce("d", true)), pod(gce("d", true)), List.of()),
          new Case("one writes", with(gce("d", true)), pod(gce("d", false)), List.of(DISK)),
          new Case("a claim for one pod", claimed("ReadWriteOncePod"), pod(CLAIM), List.of(IN_USE)),
          new Case("a claim for one node", claimed("ReadWriteOnce"), pod(CLAIM), List.of()));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("VolumeRestrictions");
  }

  @Test
  void blamesWhoUsesTheClaimElsewhere() {
    assertThat(claimed("ReadWriteOncePod").blamed("n", pod(CLAIM)))
        .singleElement()
        .asString()
        .startsWith("default/on-m-");
  }

  private static OneRule with(String volumes) {
    return rule().node("n", "").running("n", "", volumes);
  }

  private static String gce(String disk, boolean readOnly) {
    return "'volumes':[{'name':'v','gcePersistentDisk':{'pdName':'%s','readOnly':%b}}]"
        .formatted(disk, readOnly);
  }

  private static OneRule claimed(String mode) {
    return rule()
        .node("n", "")
        .node("m", "")
        .put("PersistentVolume", "{'metadata':{'name':'v'}}")
        .put(
            "PersistentVolumeClaim",
            ("{'metadata':{'name':'c','namespace':'default','annotations':"
                    + "{'pv.kubernetes.io/bind-completed':'yes'}},"
                    + "'spec':{'volumeName':'v','accessModes':['%s']}}")
                .formatted(mode))
        .running("m", "", CLAIM);
  }
}
