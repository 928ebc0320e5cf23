package io.berth.controllers.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class NodeFleetTest {

  record Case(String name, Tree spec, String expected) {}

  static final List<Case> REFUSED =
      List.of(
          new Case(
              "unknown field",
              Tree.of("cuont", 3),
              "spec.cuont: Invalid value: \"cuont\": unknown field"),
          new Case(
              "negative count",
              Tree.of("count", -1),
              "spec.count: Invalid value: \"-1\": must be between 0 and 100000"),
          new Case(
              "one name for many",
              Tree.of("count", 2, "name", "same"),
              "spec.name: Invalid value: \"same\": must contain {n}"),
          new Case(
              "taint without effect",
              Tree.of("taints", List.of(Tree.of("key", "a"))),
              "spec.taints[0].effect: Invalid value: \"\": supported values:"),
          new Case(
              "no quantity",
              Tree.of("capacity", Tree.of("memory", "2Gb")),
              "spec.capacity[memory]: Invalid value: \"2Gb\":"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("REFUSED")
  void refusesWhatItDoesNotUnderstand(Case c) {
    assertThatThrownBy(() -> NodeFleet.of(Tree.of("spec", c.spec())))
        .hasMessageContaining(c.expected());
  }

  @Test
  void plainNodesGoOverThreeZones() {
    var nodes = NodeFleet.plain(4).nodes();

    assertThat(nodes)
        .extracting(Meta::name)
        .containsExactly("node-1", "node-2", "node-3", "node-4");
    assertThat(nodes)
        .extracting(node -> Meta.label(node, "topology.kubernetes.io/zone"))
        .containsExactly("zone-a", "zone-b", "zone-c", "zone-a");
    assertThat(nodes.getFirst().text("status", "allocatable", "cpu")).isEqualTo("4");
  }

  @Test
  void allocatableIsTheCapacityUnlessItSaysOtherwise() {
    var spec =
        Tree.of("capacity", Tree.of("memory", "8Gi", "nvidia.com/gpu", "2"))
            .put("allocatable", Tree.of("memory", "7Gi"));
    var node = NodeFleet.of(Tree.of("spec", spec)).nodes().getFirst();

    assertThat(node.text("status", "capacity", "memory")).isEqualTo("8Gi");
    assertThat(node.text("status", "allocatable", "memory")).isEqualTo("7Gi");
    assertThat(node.text("status", "allocatable", "nvidia.com/gpu")).isEqualTo("2");
  }
}
