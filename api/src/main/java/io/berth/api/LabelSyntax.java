package io.berth.api;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// How keys and values of labels are written, and what Kubernetes says when they are not.
///
/// Mirrors: apimachinery/validation.IsQualifiedName, IsValidLabelValue
public final class LabelSyntax {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*+");

  private static final String NAME_RULE =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
          + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  private static final String VALUE_RULE =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
          + " 'my_value',  or '12345', regex used for validation is"
          + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  private static final String SUBDOMAIN_RULE =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex"
          + " used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

  private static final int MAX_NAME = 63;
  private static final int MAX_PREFIX = 253;

  private LabelSyntax() {}

  /// What is wrong with a key, which is a name with an optional prefix: `example.com/name`.
  public static List<String> problemsWithKey(String key) {
    int slash = key.indexOf('/');
    if (slash >= 0 && key.indexOf('/', slash + 1) >= 0) {
      return List.of(
          "a valid label key "
              + NAME_RULE
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }
    var problems = new ArrayList<String>();
    if (slash == 0) {
      problems.add("prefix part must be non-empty");
    } else if (slash > 0) {
      addPrefix(key.substring(0, slash), problems);
    }
    addName(key.substring(slash + 1), problems);
    return problems;
  }

  private static void addPrefix(String prefix, List<String> problems) {
    if (bytes(prefix) > MAX_PREFIX) {
      problems.add("prefix part must be no more than 253 bytes");
    }
    if (!SUBDOMAIN.matcher(prefix).matches()) {
      problems.add("prefix part " + SUBDOMAIN_RULE);
    }
  }

  private static void addName(String name, List<String> problems) {
    if (name.isEmpty()) {
      problems.add("name part must be non-empty");
    } else if (bytes(name) > MAX_NAME) {
      problems.add("name part must be no more than 63 bytes");
    }
    if (!NAME.matcher(name).matches()) {
      problems.add("name part " + NAME_RULE);
    }
  }

  public static List<String> problemsWithValue(String value) {
    var problems = new ArrayList<String>();
    if (bytes(value) > MAX_NAME) {
      problems.add("must be no more than 63 bytes");
    }
    if (!value.isEmpty() && !NAME.matcher(value).matches()) {
      problems.add(VALUE_RULE);
    }
    return problems;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
