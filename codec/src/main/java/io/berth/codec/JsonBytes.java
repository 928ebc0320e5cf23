package io.berth.codec;

import io.berth.api.Tree;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Writes a value as JSON in UTF-8 into one array that grows.
///
/// Every write to disk passes here, so this is written out by hand: most texts are plain ASCII and
/// go byte by byte, and nothing is allocated per field.
final class JsonBytes {

  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

  /// What one character of a text takes at most.
  private static final int LONGEST_ESCAPE = 6;

  private static final int FIRST = 4 << 10;

  /// Larger arrays are not kept.
  private static final int MOST_SPARED = 64 << 10;

  /// What the last text was written into, for the next one: one at a time finds it, and whoever
  /// does not takes a new one.
  private static final AtomicReference<byte @Nullable []> SPARE = new AtomicReference<>();

  private byte[] bytes;
  private int size;

  private JsonBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  static byte[] of(@Nullable Object value) {
    var spare = SPARE.getAndSet(null);
    var json = new JsonBytes(spare == null ? new byte[FIRST] : spare);
    json.value(value);
    var result = Arrays.copyOf(json.bytes, json.size);
    if (json.bytes.length <= MOST_SPARED) {
      SPARE.set(json.bytes);
    }
    return result;
  }

  private void value(@Nullable Object value) {
    switch (value) {
      case null -> ascii(NULL);
      case String text -> text(text);
      case Long number -> number(number);
      case Integer number -> number(number);
      case Double number -> real(number);
      case Boolean flag -> ascii(flag ? TRUE : FALSE);
      case Tree tree -> object(tree);
      case List<?> list -> array(list);
      default -> throw new IllegalArgumentException("a tree cannot hold a " + value.getClass());
    }
  }

  private void object(Tree tree) {
    add('{');
    int start = size;
    tree.forEach((name, value) -> {
      if (size > start) {
        add(',');
      }
      text(name);
      add(':');
      value(value);
    });
    add('}');
  }

  private void array(List<?> list) {
    add('[');
    for (int i = 0; i < list.size(); i++) {
      if (i > 0) {
        add(',');
      }
      value(list.get(i));
    }
    add(']');
  }

  private void text(String text) {
    int length = text.length();
    reserve(length + 2);
    bytes[size++] = '"';
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80 || c < ' ' || c == '"' || c == '\\') {
        rest(text, i);
        return;
      }
      bytes[size++] = (byte) c;
    }
    bytes[size++] = '"';
  }

  /// The rest of a text that is not all plain.
  private void rest(String text, int from) {
    reserve(LONGEST_ESCAPE * (text.length() - from) + 1);
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        character(c);
      } else if (c < 0x800) {
        bytes[size++] = (byte) (0xc0 | c >> 6);
        continuation(c);
      } else if (Character.isSurrogate(c)) {
        i += surrogate(text, i) - 1;
      } else {
        bytes[size++] = (byte) (0xe0 | c >> 12);
        continuation(c >> 6);
        continuation(c);
      }
    }
    bytes[size++] = '"';
  }

  private void character(char c) {
    switch (c) {
      case '"', '\\' -> escape(c);
      case '\b' -> escape('b');
      case '\t' -> escape('t');
      case '\n' -> escape('n');
      case '\f' -> escape('f');
      case '\r' -> escape('r');
      default -> {
        if (c < ' ') {
          escape('u');
          bytes[size++] = '0';
          bytes[size++] = '0';
          bytes[size++] = HEX[c >> 4];
          bytes[size++] = HEX[c & 0xf];
        } else {
          bytes[size++] = (byte) c;
        }
      }
    }
  }

  private void escape(char c) {
    bytes[size++] = '\\';
    bytes[size++] = (byte) c;
  }

  /// A character beyond 16 bits; as in Go, half of one is the replacement character. How many
  /// `char`s it was.
  private int surrogate(String text, int at) {
    int point = text.codePointAt(at);
    if (!Character.isSupplementaryCodePoint(point)) {
      bytes[size++] = (byte) 0xef;
      bytes[size++] = (byte) 0xbf;
      bytes[size++] = (byte) 0xbd;
      return 1;
    }
    bytes[size++] = (byte) (0xf0 | point >> 18);
    continuation(point >> 12);
    continuation(point >> 6);
    continuation(point);
    return 2;
  }

  /// The next six bits of a character that takes several bytes.
  private void continuation(int bits) {
    bytes[size++] = (byte) (0x80 | (bits & 0x3f));
  }

  private void number(long number) {
    if (number >= 0 && number < 10) {
      add((char) ('0' + number));
    } else {
      plain(Long.toString(number));
    }
  }

  // Whole numbers are written without a fraction, as Go does.
  private void real(double number) {
    if (number == Math.rint(number) && Math.abs(number) < 1e15) {
      number((long) number);
    } else if (Double.isFinite(number)) {
      plain(Double.toString(number));
    } else {
      text(Double.toString(number));
    }
  }

  private void plain(String text) {
    reserve(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes[size++] = (byte) text.charAt(i);
    }
  }

  private void ascii(byte[] word) {
    reserve(word.length);
    System.arraycopy(word, 0, bytes, size, word.length);
    size += word.length;
  }

  private void add(char c) {
    reserve(1);
    bytes[size++] = (byte) c;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
    }
  }
}
