package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Specs are equal exactly when all of their parts are, which is written by hand.
class PodSpecTest {

  private static final Container PLAIN = container(-1);
  private static final PodAffinity COMPANY =
      new PodAffinity(List.of(new PodAffinityTerm(null, List.of(), null, "zone")), List.of());
  private static final Map<String, Quantity> ONE = Map.of("cpu", Quantity.of(1));

  // All parts are as usual but for the one with this number.
  private static PodSpec spec(int other) {
    return new PodSpec(
        other == 0 ? List.of(PLAIN) : List.of(),
        other == 1 ? List.of(container(0)) : List.of(container(-1)),
        other == 2 ? ONE : Map.of(),
        other == 3 ? ONE : null,
        other == 4 ? Map.of("disk", "ssd") : Map.of(),
        other == 5 ? new NodeAffinity(List.of(), List.of()) : NodeAffinity.NONE,
        other == 6 ? COMPANY : PodAffinity.NONE,
        other == 7 ? COMPANY : new PodAffinity(List.of(), List.of()),
        other == 8 ? List.of(toleration(-1)) : List.of(),
        other == 9
            ? List.of(new TopologySpreadConstraint(1, "zone", "", null, 1, true, false, List.of()))
            : List.of(),
        other == 10 ? 7 : 0,
        other == 11,
        other == 12 ? "mine" : "default-scheduler",
        other == 13 ? List.of("gate") : List.of(),
        other == 14 ? List.of(new Volume.Claim("data", null)) : List.of(),
        other == 15 ? List.of("gpu") : List.of(),
        other == 16 ? List.of("Feature") : List.of());
  }

  private static Container container(int other) {
    return new Container(
        other == 0 ? "b" : "a",
        other == 1 ? "image:2" : "image:1",
        other == 2 ? Map.of("cpu", Quantity.of(2)) : Map.of("cpu", Quantity.of(1)),
        other == 3 ? List.of(new Container.Port(80, "TCP", "")) : List.of(),
        other == 4,
        other == 5 ? List.of("Feature") : List.of());
  }

  private static Toleration toleration(int other) {
    return new Toleration(
        other == 0 ? "x" : "key",
        other == 1 ? "x" : "Equal",
        other == 2 ? "x" : "value",
        other == 3 ? "x" : "NoExecute");
  }

  @Test
  void everyPartCounts() {
    var specs = new ArrayList<PodSpec>();
    var containers = new ArrayList<Container>();
    var tolerations = new ArrayList<Toleration>();
    for (int i = -1; i < 17; i++) {
      specs.add(spec(i));
      if (i < 6) {
        containers.add(container(i));
      }
      if (i < 4) {
        tolerations.add(toleration(i));
      }
    }

    assertThat(specs).doesNotHaveDuplicates();
    assertThat(containers).doesNotHaveDuplicates();
    assertThat(tolerations).doesNotHaveDuplicates();
  }

  @Test
  void equalsHaveTheSameHash() {
    for (int i = -1; i < 17; i++) {
      assertThat(spec(i)).isEqualTo(spec(i)).hasSameHashCodeAs(spec(i));
    }
    assertThat(Quantity.of(1)).isEqualTo(Quantity.of(1)).hasSameHashCodeAs(Quantity.of(1));
    assertThat(Quantity.parse("1Ki")).isNotEqualTo(Quantity.of(1024));
  }
}
