package io.berth.schema;

import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;

/// Reads a regular expression far enough to know how large its program will be.
///
/// Repeats multiply: `((a{100}){100}){100}` is a million instructions. As in Go, repeats within
/// repeats may multiply to 1,000, and groups nest 1,000 deep. The size of the program is bounded
/// lower than there, since each of our instructions is larger. What is no expression at all is left
/// to the compiler to say.
///
/// Mirrors: regexp/syntax.parser.checkLimits, repeatIsValid
final class PatternSize {

  private static final long MOST_REPEATS = 1_000;
  private static final int MOST_DEPTH = 1_000;
  private static final long MOST_INSTRUCTIONS = 50_000;
  private static final long MOST_RANGES = 1_000_000;

  /// Ranges of characters in a class of Unicode, at most.
  private static final int CLASS_RANGES = 1_300;

  private final String pattern;
  private final Deque<Group> outer = new ArrayDeque<>();
  private Group group = new Group();
  private long ranges;
  private int at;

  private PatternSize(String pattern) {
    this.pattern = pattern;
  }

  /// An open group: what it consists of so far, and its last part, which a repeat may follow.
  private static final class Group {

    private long size;
    private long repeats = 1;
    private long lastSize;
    private long lastRepeats = 1;

    void add(long more, long within) {
      size += lastSize;
      repeats = Math.max(repeats, lastRepeats);
      lastSize = more;
      lastRepeats = within;
    }
  }

  static void check(String pattern) {
    new PatternSize(pattern).read();
  }

  private void read() {
    while (at < pattern.length()) {
      char next = pattern.charAt(at++);
      switch (next) {
        case '(' -> open();
        case ')' -> close();
        case '[' -> characterClass();
        case '\\' -> escape();
        case '|' -> group.add(1, 1);
        case '*', '+', '?' -> group.lastSize++;
        case '{' -> repeat();
        default -> group.add(1, 1);
      }
      bound();
    }
    while (!outer.isEmpty()) {
      close();
      bound();
    }
  }

  private void bound() {
    if (group.size + group.lastSize > MOST_INSTRUCTIONS || ranges > MOST_RANGES) {
      throw new PatternSyntaxException("expression too large", pattern);
    }
    if (outer.size() > MOST_DEPTH) {
      throw new PatternSyntaxException("expression nests too deeply", pattern);
    }
  }

  private void open() {
    outer.push(group);
    group = new Group();
    if (pattern.startsWith("?", at)) {
      int end = at;
      while (end < pattern.length() && ":>)".indexOf(pattern.charAt(end)) < 0) {
        end++;
      }
      at = end < pattern.length() && pattern.charAt(end) == ')' ? end : end + 1;
    }
  }

  private void close() {
    if (outer.isEmpty()) {
      return;
    }
    group.add(0, 1);
    var inner = group;
    group = outer.pop();
    group.add(inner.size + 2, inner.repeats);
  }

  /// A bracket that comes first is part of the class.
  private void characterClass() {
    if (pattern.startsWith("^", at)) {
      at++;
    }
    boolean first = true;
    while (at < pattern.length() && (first || pattern.charAt(at) != ']')) {
      first = false;
      if (pattern.startsWith("[:", at)) {
        int end = pattern.indexOf(":]", at);
        at = end < 0 ? at + 1 : end + 2;
        ranges += 10;
      } else if (pattern.charAt(at) == '\\') {
        at++;
        ranges += rangesOf();
        at++;
      } else {
        at++;
        ranges++;
      }
    }
    at++;
    group.add(1, 1);
  }

  private int rangesOf() {
    return pattern.startsWith("p", at) || pattern.startsWith("P", at) ? CLASS_RANGES : 1;
  }

  private void escape() {
    if (pattern.startsWith("Q", at)) {
      int end = pattern.indexOf("\\E", at);
      int length = (end < 0 ? pattern.length() : end) - at - 1;
      group.add(length, 1);
      at = end < 0 ? pattern.length() : end + 2;
      return;
    }
    ranges += rangesOf();
    boolean named = pattern.startsWith("{", at + 1) && "pPx".indexOf(pattern.charAt(at)) >= 0;
    int end = named ? pattern.indexOf('}', at) : -1;
    at = end < 0 ? at + 1 : end + 1;
    group.add(1, 1);
  }

  /// `{2}`, `{2,}` and `{2,3}`; anything else is a bracket that stands for itself.
  private void repeat() {
    int begin = at - 1;
    long least = number();
    long most = least;
    if (least >= 0 && pattern.startsWith(",", at)) {
      at++;
      most = pattern.startsWith("}", at) ? -1 : number();
      if (most < 0 && !pattern.startsWith("}", at)) {
        least = -1;
      }
    }
    if (least < 0 || !pattern.startsWith("}", at)) {
      at = begin + 1;
      group.add(1, 1);
      return;
    }
    at++;
    multiply(least, most, pattern.substring(begin, at));
  }

  private void multiply(long least, long most, String text) {
    long times = most < 0 ? least : most;
    if (times >= 2) {
      group.lastRepeats *= times;
    }
    if (times > MOST_REPEATS || group.lastRepeats > MOST_REPEATS) {
      throw new PatternSyntaxException("invalid repeat count", text);
    }
    // Each time that may be missing is a jump, and one without end a loop.
    group.lastSize = Math.max(1, times) * (group.lastSize + 1) + 1;
  }

  /// The digits that follow, or -1 if there are none; more than any limit when they are many.
  private long number() {
    int begin = at;
    long value = 0;
    while (at < pattern.length() && pattern.charAt(at) >= '0' && pattern.charAt(at) <= '9') {
      value = Math.min(MOST_REPEATS + 1, value * 10 + pattern.charAt(at) - '0');
      at++;
    }
    return at == begin ? -1 : value;
  }
}
