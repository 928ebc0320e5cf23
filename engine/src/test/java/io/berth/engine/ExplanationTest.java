package io.berth.engine;

import static io.berth.engine.World.asking;
import static io.berth.engine.World.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.engine.Explanation.Cause;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationTest {

  private static final String LABELS =
      "{'kubernetes.io/hostname':'a','topology.kubernetes.io/zone':'z','disk':'hdd'}";

  private final World world =
      new World().node("a", "{'cpu':'2','memory':'4Gi','pods':'9'}", LABELS);

  @Test
  void namesThePodsThatTakeTheRoom() {
    world.pods("a", 1, "{'app':'old'}", asking("{'cpu':'1500m'}"));
    var old = "default/a-" + "{'app':'old'}".hashCode() + "-0";

    assertThat(causes(asking("{'cpu':'1'}")))
        .containsExactly(
            new Cause(
                "NodeResourcesFit",
                "cpu (millis): asks for 1000, 500 of 2000 are free",
                List.of(old)));
  }

  @Test
  void asksEveryRule() {
    var causes =
        causes(
            "{'nodeSelector':{'disk':'ssd'},'containers':[{'name':'c','image':'x','resources':{'requests':{'cpu':'9'}}}]}");

    assertThat(causes)
        .containsExactly(
            new Cause(
                "NodeAffinity", "nodeSelector wants disk=ssd, the node has disk=hdd", List.of()),
            new Cause(
                "NodeResourcesFit",
                "cpu (millis): asks for 9000, 2000 of 2000 are free",
                List.of()));
  }

  @Test
  void namesThePodsItCannotStand() {
    world.pods("a", 2, "{'app':'loud'}", asking("{}"));
    var spec =
        """
        {'containers':[{'name':'c','image':'x'}],'affinity':{'podAntiAffinity':{
          'requiredDuringSchedulingIgnoredDuringExecution':[{
            'topologyKey':'topology.kubernetes.io/zone',
            'labelSelector':{'matchLabels':{'app':'loud'}}}]}}}
        """;
    var prefix = "default/a-" + "{'app':'loud'}".hashCode();

    assertThat(causes(spec))
        .containsExactly(
            new Cause(
                "InterPodAffinity",
                "anti-affinity to pods with app=loud where topology.kubernetes.io/zone=z",
                List.of(prefix + "-0", prefix + "-1")));
  }

  private List<Cause> causes(String spec) {
    return world.engine.explain(pod(spec)).causes().getOrDefault("a", List.of());
  }
}
