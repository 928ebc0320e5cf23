package io.berth.server.rest;

/// `Warning` headers: `299 - "text"`, with control characters and quotes escaped.
final class Warnings {

  private Warnings() {}

  static String header(String warning) {
    var text = new StringBuilder("299 - \"");
    for (int i = 0; i < warning.length(); i++) {
      char c = warning.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (Character.isISOControl(c)) {
        text.append(' ');
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }
}
