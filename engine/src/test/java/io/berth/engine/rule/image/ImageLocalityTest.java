package io.berth.engine.rule.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.engine.rule.OneRule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Nodes that have a pod's images are preferred by how large these are, and how spread.
class ImageLocalityTest {

  /// The size of the image on the first of two nodes, in mebibytes, and the scores of both.
  record Case(String name, int mebibytes, List<Long> scores) {

    @Override
    public String toString() {
      return name;
    }
  }

  // The size counts as far as the image is spread: here half. From 23 to 1000 MiB it scores.
  static final List<Case> CASES =
      List.of(
          new Case("too small to matter", 40, List.of(0L, 0L)),
          new Case("as large as can matter", 2_000, List.of(100L, 0L)),
          new Case("in between", 1_023, List.of(50L, 0L)));

  @ParameterizedTest
  @FieldSource("CASES")
  void scores(Case c) {
    var images =
        ",'status':{'allocatable':{'cpu':'4','pods':'9'},'images':[{'names':['app:1'],'sizeBytes':%d}]}"
            .formatted(c.mebibytes() * 1024L * 1024L);
    var rule = new OneRule("ImageLocality").node("a", "", images).node("b", "");

    assertThat(rule.scores(OneRule.pod("'containers':[{'name':'c','image':'app:1'}]")))
        .isEqualTo(c.scores());
  }
}
