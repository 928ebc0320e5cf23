package io.berth.engine;

import static io.berth.engine.World.asking;
import static io.berth.engine.World.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.engine.Cause.Shortage;
import io.berth.engine.Explanation.Obstacle;
import java.util.ArrayList;
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
    world.pods("a", 1, "{'app':'small'}", asking("{'cpu':'1m'}"));

    var obstacle = obstacles(asking("{'cpu':'1'}")).getFirst();

    assertThat(obstacle.causes())
        .containsExactly(
            Cause.ofPod(
                    "NodeResourcesFit",
                    "spec.containers[*].resources.requests[cpu]",
                    "1000m cpu",
                    "499m of 2000m free")
                .with(new Shortage("cpu", 1000, 499, 2000)));
    assertThat(obstacle.blame()).hasToString("[default/a-" + "{'app':'old'}".hashCode() + "-0]");
  }

  @Test
  void asksEveryRule() {
    var obstacles =
        obstacles(
            "{'nodeSelector':{'disk':'ssd'},'containers':[{'name':'c','image':'x','resources':{'requests':{'cpu':'9'}}}]}");

    assertThat(obstacles).extracting(Obstacle::firstOn).containsExactly(1, 0);
    assertThat(obstacles).extracting(Obstacle::blame).containsOnlyNulls();
    assertThat(obstacles)
        .flatExtracting(Obstacle::causes)
        .containsExactly(
            Cause.ofPod("NodeAffinity", "spec.nodeSelector[disk]", "disk=ssd", "disk=hdd"),
            Cause.ofPod(
                    "NodeResourcesFit",
                    "spec.containers[*].resources.requests[cpu]",
                    "9000m cpu",
                    "2000m of 2000m free")
                .with(new Shortage("cpu", 9000, 2000, 2000)));
  }

  @Test
  void namesThePodsItCannotStand() {
    world.node("b", "{'cpu':'2','memory':'4Gi','pods':'9'}", LABELS.replace("'a'", "'b'"));
    world.pods("a", 2, "{'app':'loud'}", asking("{}"));
    var spec =
        """
        {'containers':[{'name':'c','image':'x'}],'affinity':{'podAntiAffinity':{
          'requiredDuringSchedulingIgnoredDuringExecution':[{
            'topologyKey':'topology.kubernetes.io/zone',
            'labelSelector':{'matchLabels':{'app':'loud'}}}]}}}
        """;
    var prefix = "default/a-" + "{'app':'loud'}".hashCode();

    var obstacle = obstacles(spec).getFirst();

    assertThat(obstacle.nodes()).containsExactly("a", "b");
    assertThat(obstacle.causes())
        .containsExactly(
            Cause.ofPod(
                "InterPodAffinity",
                "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]",
                "no pod with app=loud",
                "2 where topology.kubernetes.io/zone=z"));
    assertThat(obstacle.blame()).hasToString("[" + prefix + "-0, " + prefix + "-1]");
  }

  @Test
  void namesThePodThatCannotStandIt() {
    world.pods("a", 1, "{'app':'etl'}", avoiding("old", "web"));
    var owner = "default/a-" + "{'app':'etl'}".hashCode() + "-0";
    var asked = pod("asked", "{'app':'web'}", asking("{}"));

    var obstacle = world.engine.explain(asked).on("a").getFirst();

    assertThat(obstacle.causes())
        .containsExactly(
            Cause.ofOther(
                "InterPodAffinity",
                "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[1]",
                owner,
                "keeps pods with app=web out of topology.kubernetes.io/zone=z",
                ""));
  }

  @Test
  void includesWhatIsSaidBeforeNodesAreLookedAt() {
    world.node("b", "{'cpu':'2','memory':'4Gi','pods':'9'}", "{}");
    var veto =
        obstacles(
            "{'containers':[],'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'x'}}]}");
    assertThat(veto).hasSize(1);
    assertThat(veto.getFirst().nodes()).containsExactly("a", "b");
    assertThat(veto.getFirst().rejection().reasons())
        .containsExactly("persistentvolumeclaim \"x\" not found");
  }

  private static String avoiding(String... apps) {
    var terms = new ArrayList<String>();
    for (var app : apps) {
      terms.add(
          "{'topologyKey':'topology.kubernetes.io/zone','labelSelector':{'matchLabels':{'app':'%s'}}}"
              .formatted(app));
    }
    return """
    {'containers':[{'name':'c','image':'x'}],'affinity':{'podAntiAffinity':{
      'requiredDuringSchedulingIgnoredDuringExecution':[%s]}}}
    """
        .formatted(String.join(",", terms));
  }

  private List<Obstacle> obstacles(String spec) {
    return world.engine.explain(pod(spec)).on("a");
  }
}
