package io.berth.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/// The one door for regular expressions that users write.
///
/// Matching takes the length of the text times the size of the compiled program, and a few
/// characters can make a program of any size: both are bounded, the one when it is compiled and the
/// other when it is used.
public final class Patterns {

  /// Steps of matching one text: seconds. A text that would take more does not match.
  private static final long MOST_STEPS = 500_000_000;

  private Patterns() {}

  /// Throws [PatternSyntaxException] with the words of Go, also for what is valid but too large.
  public static Pattern compile(String pattern) {
    PatternSize.check(pattern);
    PatternCase.check(pattern);
    try {
      return Pattern.compile(pattern);
    } catch (IndexOutOfBoundsException | StackOverflowError e) {
      // A few damaged expressions are beyond the library too.
      throw new PatternSyntaxException("invalid or unsupported Perl syntax", pattern);
    }
  }

  /// Whether the pattern is found in a text.
  public static boolean isFound(Pattern pattern, String text) {
    return steps(pattern, text) <= MOST_STEPS && pattern.matcher(text).find();
  }

  private static long steps(Pattern pattern, String text) {
    return (long) pattern.programSize() * text.length();
  }
}
