package io.berth.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is written by hand is what the library writes.
class JsonBytesTest {

  private static final String[] TEXTS = {
    "",
    "plain",
    "with \"quotes\" and \\",
    "a/b",
    "line\nend\r\t\b\f",
    "\u0000\u0001\u001f\u007f",
    "é ü ß",
    "日本語",
    "\uD83D\uDE00 and more \uD83D\uDE80",
    "mixed é\n\"",
    "\u2028",
    "x".repeat(5000)
  };

  @Test
  void writesWhatTheLibraryWrites() {
    var random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      var value = value(random, 4);
      assertThat(text(JsonBytes.of(value))).isEqualTo(library(value));
    }
  }

  @Test
  void everyCharacterComesBack() {
    var all = new StringBuilder();
    for (int c = 0; c < 0x10000; c++) {
      if (!Character.isSurrogate((char) c)) {
        all.append((char) c);
      }
    }
    var tree = Tree.of("all", all.toString());
    assertThat(Json.read(JsonBytes.of(tree))).isEqualTo(tree);
  }

  @Test
  void halfOfASurrogatePairIsReplaced() {
    assertThat(text(JsonBytes.of("a\uD83D"))).isEqualTo("\"a\uFFFD\"");
    assertThat(text(JsonBytes.of("\uD83Db"))).isEqualTo("\"\uFFFDb\"");
    assertThat(text(JsonBytes.of("\uDE00\uD83D\uDE00"))).isEqualTo("\"\uFFFD\uD83D\uDE00\"");
  }

  private static @Nullable Object value(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 7 : 11)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> (long) random.nextInt(-20, 20);
      case 3 -> random.nextLong();
      case 4 -> random.nextInt(5) == 0 ? (Object) 3.0 : random.nextGaussian() * 1e20;
      case 5, 6 -> TEXTS[random.nextInt(TEXTS.length)];
      case 7, 8 -> {
        var list = new ArrayList<@Nullable Object>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(value(random, depth - 1));
        }
        yield list;
      }
      default -> {
        var tree = new Tree();
        for (int i = random.nextInt(12); i > 0; i--) {
          tree.put(TEXTS[random.nextInt(TEXTS.length)] + i, value(random, depth - 1));
        }
        yield tree;
      }
    };
  }

  private static String library(@Nullable Object value) {
    var bytes = new ByteArrayOutputStream();
    Json.write(value, bytes);
    return text(bytes.toByteArray());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
