package io.berth.engine.rule.volume;

import static io.berth.engine.rule.OneRule.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Claims that a node serves, can serve, or cannot.
class VolumeBindingTest {

  /// What the rule says about node `n`.
  record Case(String name, OneRule rule, Pod pod, List<String> reasons) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
  private static final String NOTHING = "node(s) didn't find available persistent volumes to bind";

  private static final String BOUND =
      "{'metadata':{'name':'c','namespace':'default','annotations':"
          + "{'pv.kubernetes.io/bind-completed':'yes'}},'spec':{'volumeName':'v','storageClassName':'s'}}";
  private static final String CLAIM =
      "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c'}}]";

  private static final String UNBOUND =
      "{'metadata':{'name':'c','namespace':'default'},'spec':{'storageClassName':'s',"
          + "'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}";

  static final List<Case> CASES =
      List.of(
          new Case("no claims", rule().node("n", ""), pod(""), List.of()),
          new Case("no such claim", rule().node("n", ""), pod(CLAIM), List.of()),
          new Case(
              "a bound volume in reach",
              volume("n", "").put("PersistentVolumeClaim", BOUND),
              pod(CLAIM),
              List.of()),
          new Case(
              "a bound volume elsewhere",
              volume("m", "").put("PersistentVolumeClaim", BOUND),
              pod(CLAIM),
              List.of(CONFLICT)),
          new Case(
              "a free volume in reach", waiting(volume("n", "Available")), pod(CLAIM), List.of()),
          new Case(
              "a free volume elsewhere",
              waiting(volume("m", "Available")),
              pod(CLAIM),
              List.of(NOTHING)),
          new Case(
              "no volume, and none is made",
              waiting(rule().node("n", "")),
              pod(CLAIM),
              List.of(NOTHING)),
          new Case(
              "one that is not waited for",
              rule().node("n", "").put("PersistentVolumeClaim", UNBOUND),
              pod(CLAIM),
              List.of("pod has unbound immediate PersistentVolumeClaims")));

  @ParameterizedTest
  @FieldSource("CASES")
  void objects(Case c) {
    assertThat(c.rule().objections("n", c.pod())).isEqualTo(c.reasons());
  }

  private static OneRule rule() {
    return new OneRule("VolumeBinding");
  }

  /// Node `n`, and a volume that one node reaches.
  private static OneRule volume(String node, String phase) {
    var volume =
        ("{'metadata':{'name':'v'},'spec':{'storageClassName':'s','capacity':{'storage':'1Gi'},"
                + "'accessModes':['ReadWriteOnce'],'nodeAffinity':{'required':{'nodeSelectorTerms':"
                + "[{'matchExpressions':[{'key':'host','operator':'In','values':['%s']}]}]}}},"
                + "'status':{'phase':'%s'}}")
            .formatted(node, phase);
    return rule().node("n", "'host':'n'").put("PersistentVolume", volume);
  }

  private static OneRule waiting(OneRule rule) {
    return rule.put(
            "StorageClass",
            "{'metadata':{'name':'s'},'provisioner':'kubernetes.io/no-provisioner',"
                + "'volumeBindingMode':'WaitForFirstConsumer'}")
        .put("PersistentVolumeClaim", UNBOUND);
  }
}
