package io.berth.codec;

/// Tabs between the tokens of a document in braces.
///
/// YAML in braces may be indented with tabs, as JSON often is. The YAML library takes spaces only.
final class Tabs {

  private Tabs() {}

  /// The same document with a space for every tab outside of quotes; others are returned unchanged.
  static String toSpaces(String yaml) {
    if (yaml.indexOf('\t') < 0 || !startsWithBrace(yaml)) {
      return yaml;
    }
    var text = new StringBuilder(yaml);
    char quote = 0;
    char before = 0; // The last character that is no space.
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        if (isEscape(text, i, quote)) {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
        continue;
      }
      if (c == '\t') {
        text.setCharAt(i, ' ');
      } else if ((c == '"' || c == '\'') && "{[,:".indexOf(before) >= 0) {
        quote = c; // Elsewhere it stands inside of a word.
        before = c;
      } else if (!Character.isWhitespace(c)) {
        before = c;
      }
    }
    return text.toString();
  }

  private static boolean isEscape(CharSequence text, int i, char quote) {
    return quote == '"'
        ? text.charAt(i) == '\\'
        : text.charAt(i) == quote && i + 1 < text.length() && text.charAt(i + 1) == quote;
  }

  private static boolean startsWithBrace(String yaml) {
    var start = yaml.stripLeading();
    return start.startsWith("{") || start.startsWith("[");
  }
}
