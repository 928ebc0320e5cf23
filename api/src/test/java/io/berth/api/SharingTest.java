package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharingTest {

  private final Sharing sharing = new Sharing();

  @Test
  void equalPartsBecomeOneObject() {
    var one = sharing.freeze(pod("a"));
    var other = sharing.freeze(pod("b"));

    assertThat(other.at("spec")).isSameAs(one.at("spec"));
    assertThat(other.tree("metadata")).isNotEqualTo(one.tree("metadata"));
    assertThat(other.at("metadata", "labels")).isSameAs(one.at("metadata", "labels"));
    assertThat(other).isEqualTo(pod("b"));
    assertThat(other.isFrozen() && other.treeOrEmpty("spec").isFrozen()).isTrue();
  }

  @Test
  void fieldsInAnotherOrderStayInTheirOrder() {
    sharing.freeze(Tree.of("labels", Tree.of("a", "1", "b", "2"), "list", elements("a", "b")));
    var other =
        sharing.freeze(Tree.of("labels", Tree.of("b", "2", "a", "1"), "list", elements("b", "a")));

    assertThat(other.treeOrEmpty("labels").names()).containsExactly("b", "a");
    assertThat(other.trees("list").getFirst().names()).containsExactly("b", "a");
  }

  @Test
  void numbersKeepTheirKind() {
    sharing.freeze(Tree.of("x", Tree.of("n", 1L)));

    assertThat(sharing.freeze(Tree.of("x", Tree.of("n", 1.0))).at("x", "n")).isEqualTo(1.0);
  }

  @Test
  void staysRightWhenTheTableOverflows() {
    for (int i = 0; i < 300_000; i++) {
      var tree = sharing.freeze(Tree.of("a", Tree.of("n", 1000L + i % 90_000, "t", "t" + i)));
      assertThat(tree.treeOrEmpty("a").number(0, "n")).isEqualTo(1000L + i % 90_000);
      assertThat(tree.text("a", "t")).isEqualTo("t" + i);
    }
  }

  private static List<Object> elements(String first, String second) {
    return new ArrayList<>(List.of(Tree.of(first, "x", second, "x")));
  }

  // Texts are made anew, as a decoder makes them.
  private static Tree pod(String name) {
    var container = Tree.of("name", new String("web"), "ports", List.of(Tree.of("port", 80_000)));
    return Tree.of(
        "metadata", Tree.of("name", name, "labels", Tree.of("app", new String("web"))),
        "spec", Tree.of("containers", List.of(container)));
  }
}
