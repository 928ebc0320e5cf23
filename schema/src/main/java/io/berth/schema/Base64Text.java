package io.berth.schema;

/// Checks base64 the way Go's standard decoder does, without decoding.
final class Base64Text {

  private Base64Text() {}

  /// Where Go's decoder would stop, or -1 when the text is whole: Go names the quantum's start when
  /// it is cut short, and the byte itself when that is wrong.
  static int firstBadByte(String text) {
    int length = text.length();
    for (int start = 0; start < length; start += 4) {
      for (int i = 0; i < 4; i++) {
        int at = start + i;
        if (at >= length) {
          return i == 0 ? -1 : start;
        }
        char c = text.charAt(at);
        if (c == '=') {
          return paddingFault(text, start, i);
        }
        if (!isDigit(c)) {
          return at;
        }
      }
    }
    return -1;
  }

  private static int paddingFault(String text, int start, int i) {
    int at = start + i;
    if (i < 2) {
      return at;
    }
    int last = start + 3;
    if (i == 2) {
      if (last >= text.length()) {
        return text.length();
      }
      if (text.charAt(last) != '=') {
        return last;
      }
    }
    return text.length() > last + 1 ? last + 1 : -1;
  }

  private static boolean isDigit(char c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || c == '+'
        || c == '/';
  }
}
