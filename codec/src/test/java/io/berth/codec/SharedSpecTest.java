package io.berth.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Pods of one template share what is equal in them.
class SharedSpecTest {

  private static Tree pod(String name, String image) {
    return Tree.of("metadata", Tree.of("name", name, "labels", Tree.of("app", "shared-spec-test")))
        .put("spec", Tree.of("containers", List.of(Tree.of("name", "c", "image", image))));
  }

  @Test
  void equalSpecsAndLabelsAreOneInstance() {
    var first = PodReader.read(pod("a", "one"));
    var second = PodReader.read(pod("b", "one"));
    var third = PodReader.read(pod("c", "two"));

    assertThat(second.spec()).isSameAs(first.spec());
    assertThat(second.labels()).isSameAs(first.labels());
    assertThat(third.spec()).isNotEqualTo(first.spec());
    assertThat(third.name()).isEqualTo("c");
  }
}
