package io.berth.codec;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Says what is wrong with JSON in the words of Go's decoder, which Kubernetes' clients know.
///
/// Reads the text a second time, so this is for texts that are known to be wrong.
final class GoSyntax {

  private static final String VALUE = "looking for beginning of value";
  private static final int MAX_DEPTH = 10_000;

  private final byte[] text;
  private int at;
  private int depth;

  private GoSyntax(byte[] text) {
    this.text = text;
  }

  /// The complaint, or `null` when Go finds nothing wrong.
  static @Nullable String complaint(byte[] text) {
    try {
      var scan = new GoSyntax(text);
      scan.value();
      scan.space();
      return scan.at < text.length ? scan.invalid("after top-level value").getMessage() : null;
    } catch (Complaint e) {
      return e.getMessage();
    } catch (StackOverflowError e) {
      // Stacks may end before Go's limit does.
      return "exceeded max depth";
    }
  }

  private void value() {
    space();
    if (++depth > MAX_DEPTH) {
      throw new Complaint("exceeded max depth");
    }
    switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw invalid(VALUE);
    }
    depth--;
  }

  private void object() {
    at++;
    space();
    if (peek() == '}') {
      at++;
      return;
    }
    while (true) {
      space();
      if (peek() != '"') {
        throw invalid("looking for beginning of object key string");
      }
      string();
      space();
      if (peek() != ':') {
        throw invalid("after object key");
      }
      at++;
      value();
      space();
      if (peek() == '}') {
        at++;
        return;
      }
      if (peek() != ',') {
        throw invalid("after object key:value pair");
      }
      at++;
    }
  }

  private void array() {
    at++;
    space();
    if (peek() == ']') {
      at++;
      return;
    }
    while (true) {
      value();
      space();
      if (peek() == ']') {
        at++;
        return;
      }
      if (peek() != ',') {
        throw invalid("after array element");
      }
      at++;
    }
  }

  private void string() {
    at++;
    while (peek() != '"') {
      if (peek() < ' ') {
        throw invalid("in string literal");
      }
      if (peek() == '\\') {
        at++;
        escape();
      }
      at++;
    }
    at++;
  }

  private void escape() {
    switch (peek()) {
      case 'b', 'f', 'n', 'r', 't', '\\', '/', '"' -> {
        // One letter.
      }
      case 'u' -> {
        for (int i = 0; i < 4; i++) {
          at++;
          if (Character.digit(peek(), 16) < 0) {
            throw invalid("in \\u hexadecimal character escape");
          }
        }
      }
      default -> throw invalid("in string escape code");
    }
  }

  private void literal(String word) {
    for (int i = 1; i < word.length(); i++) {
      at++;
      if (peek() != word.charAt(i)) {
        throw invalid("in literal %s (expecting '%s')".formatted(word, word.charAt(i)));
      }
    }
    at++;
  }

  private void number() {
    if (peek() == '-') {
      at++;
      digit("in numeric literal");
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    if (at < text.length && text[at] == '.') {
      at++;
      digit("after decimal point in numeric literal");
      digits();
    }
    if (at < text.length && (text[at] == 'e' || text[at] == 'E')) {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      digit("in exponent of numeric literal");
      digits();
    }
  }

  private void digit(String context) {
    if (peek() < '0' || peek() > '9') {
      throw invalid(context);
    }
  }

  private void digits() {
    while (at < text.length && text[at] >= '0' && text[at] <= '9') {
      at++;
    }
  }

  private void space() {
    while (at < text.length
        && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n')) {
      at++;
    }
  }

  private int peek() {
    if (at >= text.length) {
      throw new Complaint("unexpected end of JSON input");
    }
    return text[at] & 0xff;
  }

  private Complaint invalid(String context) {
    return new Complaint("invalid character %s %s".formatted(quoted(), context));
  }

  /// The byte as Go shows it: Latin-1, and escaped when it is not to be seen.
  private String quoted() {
    int c = text[at] & 0xff;
    return switch (c) {
      case '\'' -> "'\\''";
      case '"' -> "'\"'";
      case '\\' -> "'\\\\'";
      case '\n' -> "'\\n'";
      case '\r' -> "'\\r'";
      case '\t' -> "'\\t'";
      case '\b' -> "'\\b'";
      case '\f' -> "'\\f'";
      case 7 -> "'\\a'";
      case 11 -> "'\\v'";
      default ->
          c < ' ' || c == 0x7f
              ? "'\\x%02x'".formatted(c)
              : (c >= 0x80 && c <= 0xa0) || c == 0xad
                  ? "'\\u%04x'".formatted(c)
                  : "'" + new String(text, at, 1, StandardCharsets.ISO_8859_1) + "'";
    };
  }

  private static final class Complaint extends RuntimeException {

    private static final long serialVersionUID = 1;

    Complaint(String message) {
      super(message, null, false, false);
    }
  }
}
