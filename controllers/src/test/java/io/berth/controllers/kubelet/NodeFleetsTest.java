package io.berth.controllers.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.controllers.World;
import io.berth.controllers.runtime.Meta;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeFleetsTest {

  private final World world = new World(NodeFleets::new).start();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void aFleetHasItsNodesAndSaysSo() {
    world.create(NodeFleets.RESOURCE, fleet(3));

    awaitStatus("3 nodes", Tree.of("observedGeneration", 1, "nodes", 3));
    assertThat(names()).containsExactly("gpu-1", "gpu-2", "gpu-3");
    assertThat(world.cluster.all(Resource.NODES))
        .allSatisfy(node -> {
          assertThat(Meta.label(node, "team")).isEqualTo("research");
          assertThat(Meta.owners(node).getFirst().text("name")).isEqualTo("gpu");
        });
  }

  @Test
  void growsShrinksAndReplacesWhatIsLost() {
    world.create(NodeFleets.RESOURCE, fleet(2));
    awaitNames("gpu-1", "gpu-2");

    scale(4);
    awaitNames("gpu-1", "gpu-2", "gpu-3", "gpu-4");

    scale(1);
    awaitNames("gpu-1");

    world.cluster.delete(Resource.NODES, "", "gpu-1", DeleteOptions.DEFAULT);
    awaitNames("gpu-1");
  }

  @Test
  void leavesNodesOfOthersAlone() {
    world.create(
        Resource.NODES,
        Tree.of("apiVersion", "v1", "kind", "Node", "metadata", Tree.of("name", "gpu-1")));

    world.create(NodeFleets.RESOURCE, fleet(2));

    awaitStatus(
        "one node of its own",
        Tree.of(
            "observedGeneration",
            1,
            "nodes",
            1,
            "message",
            "there are nodes of these names already: gpu-1"));
  }

  @Test
  void saysWhatIsWrongWithAFleet() {
    var fleet = fleet(2);
    fleet.child("spec").put("name", "same");

    world.create(NodeFleets.RESOURCE, fleet);

    awaitStatus(
        "the reason",
        Tree.of(
            "observedGeneration",
            1,
            "nodes",
            0,
            "message",
            "NodeFleet is invalid: spec.name: Invalid value: \"same\": must contain {n} when there"
                + " is more than one node"));
  }

  private static Tree fleet(long count) {
    return Tree.of("apiVersion", "berth.io/v1alpha1", "kind", "NodeFleet")
        .put("metadata", Tree.of("name", "gpu", "generation", 1))
        .put("spec", Tree.of("count", count, "labels", Tree.of("team", "research")));
  }

  private void scale(long count) {
    world.cluster.patch(
        NodeFleets.RESOURCE,
        "",
        "gpu",
        null,
        PatchType.MERGE,
        Tree.of("spec", Tree.of("count", count)));
  }

  private List<String> names() {
    return world.cluster.all(Resource.NODES).stream().map(Meta::name).sorted().toList();
  }

  private void awaitNames(String... names) {
    world.await("nodes " + List.of(names), _ -> names().equals(List.of(names)));
  }

  private void awaitStatus(String what, Tree status) {
    world.await(
        what,
        cluster ->
            cluster.all(NodeFleets.RESOURCE).stream()
                .anyMatch(fleet -> status.equals(fleet.get("status"))));
  }
}
