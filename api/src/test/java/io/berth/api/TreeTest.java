package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TreeTest {

  @Test
  void readsAlongPathsAndForgivesAbsence() {
    var pod = Tree.of("spec", Map.of("containers", List.of(Map.of("name", "web", "ports", 80))));

    assertThat(pod.trees("spec", "containers").getFirst().text("name")).isEqualTo("web");
    assertThat(pod.trees("spec", "containers").getFirst().number(0, "ports")).isEqualTo(80);
    assertThat(pod.text("spec", "nodeName")).isNull();
    assertThat(pod.list("spec", "tolerations")).isEmpty();
  }

  @Test
  void frozenTreesCannotBeChangedButTheirCopiesCan() {
    var tree = Tree.of("metadata", Tree.of("labels", Tree.of("app", "web"))).freeze();

    assertThatThrownBy(() -> tree.putAt("x", "metadata", "labels", "app"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(tree.copy().putAt("x", "metadata", "labels", "app").texts("metadata", "labels"))
        .containsEntry("app", "x");
    assertThat(tree.texts("metadata", "labels")).containsEntry("app", "web");
  }

  @Test
  void aShallowCopySharesWhatIsBelow() {
    var tree = Tree.of("metadata", Tree.of("name", "a"), "spec", Tree.of("x", 1)).freeze();

    var copy = tree.shallowCopy().put("spec", Tree.of("x", 2));

    assertThat(copy.get("metadata")).isSameAs(tree.get("metadata"));
    assertThat(tree.number(0, "spec", "x")).isEqualTo(1);
    assertThatThrownBy(copy::shallowCopy).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatNoDocumentHoldsCannotBeFrozen() {
    assertThatThrownBy(() -> Tree.of("spec", Tree.of("at", Instant.EPOCH)).freeze())
        .hasMessage("a tree cannot hold a class java.time.Instant");
    assertThatThrownBy(
            () -> new Sharing().freeze(Tree.of("list", List.of(new StringBuilder("text")))))
        .hasMessage("a tree cannot hold a class java.lang.StringBuilder");
  }

  @Test
  void aFrozenTreeKnowsAboutItsSize() {
    var items = Tree.of("items", List.of("x".repeat(1000), Tree.of("text", "y".repeat(1000))));
    assertThat(items.freeze().jsonSize()).isBetween(2000, 2100);

    var vast = new Tree();
    for (int i = 0; i < 1000; i++) {
      vast.put("key" + i, "x".repeat(10_000));
    }
    assertThat(vast.freeze().jsonSize()).isBetween((2 << 20) - 64, 2 << 20);
  }
}
