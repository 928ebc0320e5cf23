package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequirementTest {

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "In, a b, a, true",
        "In, a b, c, false",
        "In, a b, -, false",
        "NotIn, a b, a, false",
        "NotIn, a b, c, true",
        "NotIn, a b, -, true",
        "Exists, -, '', true",
        "Exists, -, -, false",
        "DoesNotExist, -, '', false",
        "DoesNotExist, -, -, true",
        "Gt, 5, 6, true",
        "Gt, 5, 5, false",
        "Gt, 5, +6, true",
        "Gt, 5, -, false",
        "Gt, 5, six, false",
        "Gt, five, 6, false",
        "Gt, 1 2, 6, false",
        "Gt, 5, 0000000000000000000000006, true",
        "Gt, 5, 9223372036854775808, false",
        "Lt, 5, -6, true",
        "Lt, 5, 5, false",
        "Near, 5, 5, false"
      })
  void matchesAsInKubernetes(
      String operator, @Nullable String values, @Nullable String value, boolean expected) {
    var listed = values == null ? List.<String>of() : List.of(values.split(" "));
    assertThat(new Requirement("key", operator, listed).matches(value)).isEqualTo(expected);
  }

  @Test
  void aTermNeedsAllItsClausesAndAnEmptyOneMatchesNothing() {
    var zone = new Requirement("zone", "In", List.of("a"));
    var name = new Requirement("metadata.name", "In", List.of("n1"));
    var both = new NodeSelectorTerm(List.of(zone), List.of(name));
    assertThat(both.matches(Map.of("zone", "a"), "n1")).isTrue();
    assertThat(both.matches(Map.of("zone", "a"), "n2")).isFalse();
    assertThat(both.matches(Map.of("zone", "b"), "n1")).isFalse();
    assertThat(new NodeSelectorTerm(List.of(), List.of()).matches(Map.of(), "n1")).isFalse();
  }

  @Test
  void anAbsentSelectorSelectsNothingAnEmptyOneEverything() {
    assertThat(LabelSelector.of((Tree) null).matches(Map.of("app", "web"))).isFalse();
    assertThat(LabelSelector.of(Tree.of()).matches(Map.of("app", "web"))).isTrue();
  }
}
