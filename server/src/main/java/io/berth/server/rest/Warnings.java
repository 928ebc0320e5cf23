package io.berth.server.rest;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// `Warning` headers: `299 - "text"`, with control characters and quotes escaped.
final class Warnings {

  /// All texts together; as soon as they are longer, each is cut to [#MAX_CUT] and those behind are
  /// left out. As in Kubernetes.
  private static final int MAX_TOTAL = 4096;

  private static final int MAX_CUT = 256;

  private Warnings() {}

  static List<String> headers(List<String> warnings) {
    var texts = new LinkedHashSet<>(warnings);
    boolean cut = texts.stream().mapToInt(Warnings::length).sum() > MAX_TOTAL;
    var headers = new ArrayList<String>();
    int total = 0;
    for (var text : texts) {
      if (cut && total >= MAX_TOTAL) {
        break;
      }
      var shown =
          cut && length(text) > MAX_CUT
              ? text.substring(0, text.offsetByCodePoints(0, MAX_CUT))
              : text;
      total += length(shown);
      headers.add(header(shown));
    }
    return headers;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String header(String warning) {
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
