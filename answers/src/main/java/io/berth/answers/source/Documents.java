package io.berth.answers.source;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The documents of a file, and the items of what `kubectl get -o yaml` prints, apart: so that each
/// knows the line it begins in, and a large file is not one large document.
final class Documents {

  private static final String MARKER = "---";
  private static final String ITEMS = "\nitems:\n- apiVersion:";

  /// `&name` or `*name`, where a value may stand.
  private static final Pattern ANCHOR_OR_ALIAS = Pattern.compile("[-:,\\[{]\\s*[&*][\\w-]");

  private Documents() {}

  /// `line` counts from 1.
  record Part(int line, String text) {}

  static List<Part> of(String text) {
    var parts = new ArrayList<Part>();
    int start = 0;
    int startLine = 1;
    int line = 1;
    for (int at = 0; at >= 0 && at < text.length(); line++) {
      if (at > start && isMarker(text, at)) {
        add(startLine, text.substring(start, at), parts);
        start = at;
        startLine = line;
      }
      int end = text.indexOf('\n', at);
      at = end < 0 ? -1 : end + 1;
    }
    add(startLine, text.substring(start), parts);
    return parts;
  }

  // Blank lines and comments at its head belong to no object: the line is that of the first field.
  private static void add(int line, String text, List<Part> parts) {
    int skipped = 0;
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf('\n', at);
      var first = text.substring(at, end < 0 ? text.length() : end).strip();
      if (!first.isEmpty() && !first.startsWith("#") && !first.equals(MARKER)) {
        split(line + skipped, text.substring(at), parts);
        return;
      }
      skipped++;
      at = end < 0 ? text.length() : end + 1;
    }
  }

  // Objects that say what they are, each an item that begins at the margin: nothing is lost when
  // they are read one by one, unless they share parts.
  private static void split(int line, String text, List<Part> parts) {
    int items = text.indexOf(ITEMS);
    if (!text.startsWith("apiVersion: v1\n") || items < 0 || ANCHOR_OR_ALIAS.matcher(text).find()) {
      parts.add(new Part(line, text));
      return;
    }
    int at = items + ITEMS.indexOf('-');
    int number = line + lines(text, 0, at);
    while (text.startsWith("- ", at)) {
      int end = at;
      do {
        int next = text.indexOf('\n', end);
        end = next < 0 ? text.length() : next + 1;
      } while (end < text.length() && isInside(text.charAt(end)));
      parts.add(new Part(number, "  " + text.substring(at + 2, end)));
      number += lines(text, at, end);
      at = end;
    }
  }

  private static boolean isInside(char first) {
    return first == ' ' || first == '\n' || first == '\r' || first == '#';
  }

  private static int lines(String text, int from, int to) {
    return (int) text.substring(from, to).chars().filter(each -> each == '\n').count();
  }

  private static boolean isMarker(String text, int at) {
    int after = at + MARKER.length();
    return text.startsWith(MARKER, at)
        && (after == text.length() || Character.isWhitespace(text.charAt(after)));
  }
}
