package io.berth.schema;

import com.google.re2j.PatternSyntaxException;
import java.util.regex.Pattern;

/// Keeps from the library what it would look for forever: other cases of nine rare letters.
///
/// Where case does not count, it goes from each letter of a class to its next case until it is back
/// at the first. U+1C80 to U+1C88 have upper cases whose lower case is another letter, which its
/// tables do not know: it never comes back. This reads too much as a range rather than too little.
final class PatternCase {

  private static final int FIRST = 0x1C80;
  private static final int LAST = 0x1C88;

  /// `(?i)`, `(?mi:`, …
  private static final Pattern IGNORES_CASE = Pattern.compile("\\(\\?[a-zA-Z]*i");

  private final String pattern;
  private int at;

  private PatternCase(String pattern) {
    this.pattern = pattern;
  }

  static void check(String pattern) {
    if (IGNORES_CASE.matcher(pattern).find() && new PatternCase(pattern).endsNowhere()) {
      throw new PatternSyntaxException(
          "unsupported: the letters U+1C80 to U+1C88 where case does not count", pattern);
    }
  }

  private boolean endsNowhere() {
    boolean classes = false;
    int before = 0;
    int last = 0;
    while (at < pattern.length()) {
      classes |= pattern.charAt(at) == '[';
      int next = next();
      boolean range = classes && last == '-' && before <= LAST && next >= FIRST;
      if (range || (next >= FIRST && next <= LAST)) {
        return true;
      }
      before = last;
      last = next;
    }
    return false;
  }

  /// The next character, or what an escape stands for.
  private int next() {
    int next = pattern.codePointAt(at);
    at += Character.charCount(next);
    if (next != '\\' || at == pattern.length()) {
      return next;
    }
    if (pattern.startsWith("x{", at)) {
      int end = pattern.indexOf('}', at);
      int begin = at + 2;
      at = end < 0 ? pattern.length() : end + 1;
      return end < 0 ? 0 : hexadecimal(pattern.substring(begin, end));
    }
    int escaped = pattern.codePointAt(at);
    at += Character.charCount(escaped);
    return escaped;
  }

  /// What is no number is left to the compiler to say.
  private static int hexadecimal(String digits) {
    try {
      return Integer.parseInt(digits, 16);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
