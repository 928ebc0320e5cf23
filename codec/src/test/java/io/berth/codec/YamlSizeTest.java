package io.berth.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class YamlSizeTest {

  @Test
  void aliasesThatSaveTypingAreWelcome() {
    var tree = Yaml.read("a: &x [1, 2]\nb: *x\nc: {<<: &y {d: e}, f: *y}\n");

    assertThat(tree)
        .hasToString(Yaml.read("a: [1, 2]\nb: [1, 2]\nc: {d: e, f: {d: e}}\n").toString());
  }

  @Test
  void aSmallDocumentDoesNotGrowWithoutEnd() {
    var bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i <= 9; i++) {
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ",").repeat(9)));
    }

    assertRefused(bomb.toString(), "document contains excessive aliasing");
    assertThatThrownBy(() -> Yaml.readReporting(bomb.toString()))
        .hasMessageContaining("document contains excessive aliasing");
  }

  @Test
  void keysAreScalars() {
    assertRefused("a: &a [x]\n? *a\n: y\n", "invalid map key");
    assertRefused("? {a: b}\n: y\n", "invalid map key");
  }

  @Test
  void nothingContainsItself() {
    assertRefused("a: &a [*a]\n", "anchor value contains itself");
    assertRefused("&a {b: *a}\n", "anchor value contains itself");
  }

  private static void assertRefused(String yaml, String problem) {
    assertThatThrownBy(() -> Yaml.readAll(yaml))
        .isInstanceOf(SyntaxException.class)
        .hasMessageContaining(problem);
  }
}
