package io.berth.controllers.core;

import static io.berth.testing.Samples.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.World;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A deleted pod group stays until the last of its pods has ended.
class PodGroupProtectionTest {

  private final World world =
      new World(PodGroupProtection::new, World.kubelets()).withNodes(1).start();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void aGroupOutlivesItsPods() {
    world.create(Resource.POD_GROUPS, group());
    var pod = aPod("p");
    pod.child("spec").put("schedulingGroup", Tree.of("podGroupName", "g"));
    world.create(Resource.PODS, pod);
    world.awaitObject(
        Resource.PODS, "p", each -> each.textOrEmpty("status", "phase").equals("Running"));

    world.cluster.delete(Resource.POD_GROUPS, "default", "g", DeleteOptions.DEFAULT);
    world.settle();
    assertThat(world.get(Resource.POD_GROUPS, "g").at("metadata", "deletionTimestamp")).isNotNull();

    world.cluster.delete(Resource.PODS, "default", "p", DeleteOptions.DEFAULT);
    world.awaitGone(Resource.POD_GROUPS, "g");
  }

  private static Tree group() {
    return Tree.of(
        "metadata",
        Tree.of(
            "name",
            "g",
            "namespace",
            "default",
            "finalizers",
            List.of("scheduling.k8s.io/podgroup-protection")));
  }
}
