package io.berth.kinds.meta;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonDiffTest {

  @Test
  void showsChangedLinesWithTheirSurroundings() {
    var before = Tree.of("a", 1, "b", "x", "c", List.of(1, 2), "d", 4, "e", 5);
    var after = before.copy().put("b", "y");

    assertThat(JsonDiff.between(before, after))
        .isEqualTo(
            """
            @@ -1,6 +1,6 @@
             {
              "a": 1,
            - "b": "x",
            + "b": "y",
              "c": [
               1,
               2
            """);
  }

  @Test
  void aFieldThatMovedIsNoChange() {
    var before = Tree.of("a", 1, "b", List.of(Tree.of("c", 1, "d", 2)));
    var after = Tree.of("b", List.of(Tree.of("d", 2, "c", 1)), "a", 1);

    assertThat(JsonDiff.between(before, after)).isEmpty();
  }

  @Test
  void saysNothingAboutEqualObjects() {
    assertThat(JsonDiff.between(Tree.of("a", 1), Tree.of("a", 1))).isEmpty();
  }
}
