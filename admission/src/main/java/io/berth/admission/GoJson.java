package io.berth.admission;

/// What Go's JSON reader says about a text that is no JSON: users of a real API server know these
/// words.
final class GoJson {

  private static final String WHITE = " \t\r\n";

  private final String text;
  private int at;

  private GoJson(String text) {
    this.text = text;
  }

  /// The complaint about the first character that does not fit.
  static String complaint(String text) {
    var reader = new GoJson(text);
    try {
      reader.value();
      reader.skipWhite();
      if (reader.at < text.length()) {
        throw reader.unexpected("after top-level value");
      }
      return "unexpected JSON value";
    } catch (Complaint complaint) {
      return complaint.text;
    }
  }

  private void value() {
    skipWhite();
    char c = current();
    switch (c) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      default -> {
        if (c != '-' && !Character.isDigit(c)) {
          throw unexpected("looking for beginning of value");
        }
        number();
      }
    }
  }

  private void literal(String literal) {
    for (int i = 0; i < literal.length(); i++, at++) {
      if (current() != literal.charAt(i)) {
        throw unexpected("in literal %s (expecting '%c')".formatted(literal, literal.charAt(i)));
      }
    }
  }

  private void number() {
    at++;
    while (at < text.length() && "0123456789.eE+-".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private void string() {
    at++;
    while (current() != '"') {
      at += current() == '\\' ? 2 : 1;
    }
    at++;
  }

  private void array() {
    at++;
    skipWhite();
    if (current() == ']') {
      at++;
      return;
    }
    while (true) {
      value();
      skipWhite();
      if (current() == ']') {
        at++;
        return;
      }
      if (current() != ',') {
        throw unexpected("after array element");
      }
      at++;
    }
  }

  private void object() {
    at++;
    skipWhite();
    if (current() == '}') {
      at++;
      return;
    }
    while (true) {
      skipWhite();
      if (current() != '"') {
        throw unexpected("looking for beginning of object key string");
      }
      string();
      skipWhite();
      if (current() != ':') {
        throw unexpected("after object key");
      }
      at++;
      value();
      skipWhite();
      if (current() == '}') {
        at++;
        return;
      }
      if (current() != ',') {
        throw unexpected("after object key:value pair");
      }
      at++;
    }
  }

  private void skipWhite() {
    while (at < text.length() && WHITE.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char current() {
    if (at >= text.length()) {
      throw new Complaint("unexpected end of JSON input");
    }
    return text.charAt(at);
  }

  private Complaint unexpected(String where) {
    return new Complaint("invalid character '%c' %s".formatted(text.charAt(at), where));
  }

  private static final class Complaint extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String text;

    private Complaint(String text) {
      super(text, null, false, false);
      this.text = text;
    }
  }
}
