package io.berth.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;

class TabsTest {

  @Test
  void documentsInBracesMayBeIndentedWithTabs() {
    var json = "{\n\t\"a\":\t\"x\\\"\ty\",\n\t\"b\": ['it''s\t', plain'word\t]\n}";

    var document = Yaml.readReporting(json);

    assertThat(document.value())
        .isEqualTo(Tree.of("a", "x\"\ty", "b", List.of("it's\t", "plain'word")));
    assertThat(Yaml.read(json)).isEqualTo(document.value());
  }

  @Test
  void othersMayNot() {
    assertThatThrownBy(() -> Yaml.read("a:\n\tb: 1")).isInstanceOf(SyntaxException.class);
  }
}
