package io.berth.engine;

import static io.berth.engine.World.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.PersistentVolume;
import io.berth.api.Pod;
import io.berth.codec.VolumeReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a decided pod takes is nobody else's, until it is given up or the volume says otherwise.
class VolumeReservationTest {

  private static final String NODE = "{'cpu':'4','pods':'9'}";
  private static final String NOTHING_TO_BIND =
      "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind. "
          + "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";

  private final World world = new World();
  private final Engine engine = world.engine;

  @BeforeEach
  void oneVolumeForTwoClaims() {
    world.node("n1", NODE, "{}");
    putClass("local", "kubernetes.io/no-provisioner");
    putClass("fast", "csi.example.com");
    putVolume("Available");
    for (var name : new String[] {"a", "b", "c"}) {
      putClaim(name);
    }
  }

  @Test
  void aReservedVolumeIsTaken() {
    var first = engine.reserve(pod("first", "a"), "n1");

    assertThat(first.volumes()).containsEntry("default/a", "disk");
    assertThat(engine.decide(pod("first", "a"))).isInstanceOf(Decision.Placed.class);
    assertThat(engine.decide(pod("second", "b")))
        .isInstanceOfSatisfying(
            Decision.Unschedulable.class,
            refused -> assertThat(refused.message()).isEqualTo(NOTHING_TO_BIND));

    engine.release(first);
    assertThat(engine.decide(pod("second", "b"))).isInstanceOf(Decision.Placed.class);
  }

  @Test
  void aReservationEndsWhenTheVolumeChangesButNotWhenItComesAgain() {
    engine.reserve(pod("first", "a"), "n1");

    putVolume("Available");
    assertThat(engine.decide(pod("second", "b"))).isInstanceOf(Decision.Unschedulable.class);

    putVolume("Released");
    putVolume("Available");
    assertThat(engine.decide(pod("second", "b"))).isInstanceOf(Decision.Placed.class);
  }

  @Test
  void aClaimWhoseVolumeIsBeingMadeKeepsItsNode() {
    var reserved = engine.reserve(pod("first", "c"), "n1");
    world.node("n2", NODE, "{}");

    assertThat(reserved.provisioned()).containsExactly("default/c");
    assertThat(engine.examine(pod("again", "c")).feasible()).containsExactly("n1");

    engine.release(reserved);
    assertThat(engine.examine(pod("again", "c")).feasible()).containsExactly("n1", "n2");
  }

  @Test
  void podsOfAPlanDoNotGetTheSameVolume() {
    try (var plan = engine.plan()) {
      plan.place(pod("first", "a"), "n1");
      int before = plan.checkpoint();
      assertThat(plan.decide(pod("second", "b"))).isInstanceOf(Decision.Unschedulable.class);

      plan.place(pod("beside", "a"), "n1");
      plan.rollback(before);
      assertThat(plan.decide(pod("second", "b"))).isInstanceOf(Decision.Unschedulable.class);
    }
    assertThat(engine.decide(pod("second", "b"))).isInstanceOf(Decision.Placed.class);
  }

  @Test
  void aPlanThatChangesAReservedVolumeGivesTheReservationBack() {
    engine.reserve(pod("first", "a"), "n1");
    try (var plan = engine.plan()) {
      plan.put(volume("Released"));
      plan.put(volume("Available"));
      assertThat(plan.decide(pod("second", "b"))).isInstanceOf(Decision.Placed.class);
    }

    assertThat(engine.decide(pod("second", "b"))).isInstanceOf(Decision.Unschedulable.class);
  }

  @Test
  void explainsWhichClaimFindsNothing() {
    engine.reserve(pod("first", "a"), "n1");

    assertThat(engine.explain(pod("second", "b")).on("n1").getFirst().causes())
        .containsExactly(
            Cause.ofPod(
                "VolumeBinding",
                "spec.volumes[*].persistentVolumeClaim.claimName",
                "for claim default/b a volume of 1Gi",
                "no free one is reachable from the node, and its class makes none"));
  }

  private static Pod pod(String name, String claim) {
    return World.pod(
        name,
        "{}",
        "{'containers':[],'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}]}"
            .formatted(claim));
  }

  private void putClass(String name, String provisioner) {
    engine.put(
        VolumeReader.readClass(
            json(
                "{'metadata':{'name':'%s'},'provisioner':'%s','volumeBindingMode':'WaitForFirstConsumer'}"
                    .formatted(name, provisioner))));
  }

  private void putVolume(String phase) {
    engine.put(volume(phase));
  }

  private static PersistentVolume volume(String phase) {
    return VolumeReader.readVolume(
        json(
            "{'metadata':{'name':'disk'},'spec':{'storageClassName':'local','capacity':{'storage':'2Gi'},'accessModes':['ReadWriteOnce']},'status':{'phase':'%s'}}"
                .formatted(phase)));
  }

  private void putClaim(String name) {
    engine.put(
        VolumeReader.readClaim(
            json(
                "{'metadata':{'name':'%s'},'spec':{'storageClassName':'%s','accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}"
                    .formatted(name, name.equals("c") ? "fast" : "local"))));
  }
}
