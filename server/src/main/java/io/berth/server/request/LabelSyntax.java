package io.berth.server.request;

import org.jspecify.annotations.Nullable;

/// What keys and values of labels may look like, and Kubernetes' words for what they may not.
final class LabelSyntax {

  private static final int MAX_NAME = 63;
  private static final int MAX_PREFIX = 253;
  private static final String SHAPE =
      "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
          + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

  private LabelSyntax() {}

  /// Why this is no label key, or `null`; several reasons are joined with `; `.
  static @Nullable String keyProblem(String key) {
    var parts = key.split("/", -1);
    if (parts.length > 2) {
      return "a valid label key must "
          + SHAPE
          + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    }
    var problems = new StringBuilder();
    if (parts.length == 2) {
      if (parts[0].isEmpty()) {
        add(problems, "prefix part must be non-empty");
      } else if (parts[0].length() > MAX_PREFIX) {
        add(problems, "prefix part must be no more than 253 bytes");
      } else if (!isSubdomain(parts[0])) {
        add(
            problems,
            "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                + " characters, '-' or '.', and must start and end with an alphanumeric character"
                + " (e.g. 'example.com', regex used for validation is"
                + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
      }
    }
    var name = parts[parts.length - 1];
    if (name.isEmpty()) {
      add(problems, "name part must be non-empty");
    } else if (name.length() > MAX_NAME) {
      add(problems, "name part must be no more than 63 bytes");
    }
    if (!isName(name)) {
      add(problems, "name part must " + SHAPE);
    }
    return problems.isEmpty() ? null : problems.toString();
  }

  /// Why this is no label value, or `null`.
  static @Nullable String valueProblem(String value) {
    var problems = new StringBuilder();
    if (value.length() > MAX_NAME) {
      add(problems, "must be no more than 63 bytes");
    }
    if (!value.isEmpty() && !isName(value)) {
      add(problems, "a valid label must be an empty string or " + SHAPE.replace("'([A", "'(([A"));
    }
    return problems.isEmpty() ? null : problems.toString();
  }

  private static void add(StringBuilder problems, String problem) {
    if (!problems.isEmpty()) {
      problems.append("; ");
    }
    problems.append(problem);
  }

  private static boolean isName(String text) {
    if (text.isEmpty() || !isAlphanumeric(text.charAt(0))) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isAlphanumeric(c) && c != '-' && c != '_' && c != '.') {
        return false;
      }
    }
    return isAlphanumeric(text.charAt(text.length() - 1));
  }

  private static boolean isSubdomain(String text) {
    for (var label : text.split("\\.", -1)) {
      if (label.isEmpty() || label.startsWith("-") || label.endsWith("-")) {
        return false;
      }
      for (int i = 0; i < label.length(); i++) {
        char c = label.charAt(i);
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
