package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
