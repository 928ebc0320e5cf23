package io.berth.server.replay;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Damages requests: fields of their objects, bytes of their bodies, their selectors and paths.
final class Mutator {

  private static final List<Object> ODD =
      List.of(
          "",
          "a",
          "\u0000",
          "\ud83d\ude80",
          "../..",
          "x".repeat(300),
          -1L,
          0L,
          Long.MAX_VALUE,
          1e300,
          true,
          List.of(),
          new Tree(),
          List.of(List.of()),
          "1e999999999",
          "9".repeat(200));
  private static final List<String> WORDS =
      List.of(
          "%",
          "&x",
          "=",
          ",",
          "!",
          "(",
          ")",
          " in ",
          "%00",
          "..",
          "/",
          "-1",
          "\u00e9",
          "?",
          "==",
          "notin",
          "\\",
          "[",
          "]",
          "{",
          "}",
          "'",
          "\"",
          "~1",
          "$patch",
          "*",
          "|",
          "\n",
          "9".repeat(30));

  private final Random random;
  private final Seeds seeds;

  Mutator(Random random, Seeds seeds) {
    this.random = random;
    this.seeds = seeds;
  }

  Input damaged(Input input) {
    var path = random.nextInt(4) == 0 ? damagedPath(input.path()) : input.path();
    var type = random.nextInt(20) == 0 ? seeds.contentType(random) : input.type();
    return new Input(input.method(), path, type, body(input));
  }

  private byte[] body(Input input) {
    if (input.body().length == 0) {
      return input.body();
    }
    var object = random.nextInt(3) > 0 ? object(input.body()) : null;
    return object == null ? bytes(input.body()) : Json.write(changed(object, 0));
  }

  private static @Nullable Object object(byte[] body) {
    try {
      return Json.readValue(body);
    } catch (SyntaxException e) {
      return null;
    }
  }

  private byte[] bytes(byte[] body) {
    var bytes = body.clone();
    for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, at);
        case 3 -> bytes = spliced(bytes, at, seeds.word(random, WORDS));
        default -> bytes = repeated(bytes, at);
      }
    }
    return bytes;
  }

  private static byte[] spliced(byte[] bytes, int at, String word) {
    var out = new ByteArrayOutputStream();
    out.write(bytes, 0, at);
    out.writeBytes(word.getBytes(StandardCharsets.UTF_8));
    out.write(bytes, at, bytes.length - at);
    return out.toByteArray();
  }

  private byte[] repeated(byte[] bytes, int at) {
    int length = Math.min(1 + random.nextInt(40), bytes.length - at);
    var out = new ByteArrayOutputStream();
    out.write(bytes, 0, at);
    for (int i = 1 + random.nextInt(50); i > 0; i--) {
      out.write(bytes, at, length);
    }
    out.write(bytes, at, bytes.length - at);
    return out.toByteArray();
  }

  /// The value with one place in it changed.
  private @Nullable Object changed(@Nullable Object value, int depth) {
    if (random.nextInt(6) == 0 && depth > 0) {
      return odd(value);
    }
    if (value instanceof Tree tree && !tree.isEmpty()) {
      var copy = tree.copy();
      var names = List.copyOf(copy.names());
      var name = names.get(random.nextInt(names.size()));
      copy.put(name, changed(copy.get(name), depth + 1));
      return copy;
    }
    if (value instanceof List<?> list && !list.isEmpty()) {
      var copy = new ArrayList<@Nullable Object>(list);
      int at = random.nextInt(copy.size());
      copy.set(at, changed(copy.get(at), depth + 1));
      if (random.nextInt(5) == 0) {
        copy.add(copy.get(at));
      }
      return copy;
    }
    return depth == 0 ? value : odd(value);
  }

  private @Nullable Object odd(@Nullable Object value) {
    if (value instanceof String text && !text.isEmpty() && random.nextBoolean()) {
      return new String(bytes(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }
    return switch (random.nextInt(10)) {
      case 0 -> null;
      case 1, 2 -> seeds.text(random);
      default -> ODD.get(random.nextInt(ODD.size()));
    };
  }

  private String damagedPath(String path) {
    int at = random.nextInt(path.length()) + 1;
    var word = WORDS.get(random.nextInt(WORDS.size()));
    return path.substring(0, at) + word + path.substring(Math.min(path.length(), at + 1));
  }

  /// A request; `body` may be empty.
  record Input(String method, String path, String type, byte[] body) {

    @Override
    public String toString() {
      return "%s %s %s %s".formatted(method, path, type, new String(body, StandardCharsets.UTF_8));
    }
  }
}
