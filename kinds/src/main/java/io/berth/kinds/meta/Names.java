package io.berth.kinds.meta;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The syntax of names, label keys and label values, with Kubernetes' words for each mistake.
///
/// Every method returns what is wrong with a value; an empty list means nothing.
///
/// Mirrors: apimachinery/pkg/util/validation.IsDNS1123Label, IsQualifiedName
public final class Names {

  private static final String LABEL_FORMAT = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String SUBDOMAIN_FORMAT = LABEL_FORMAT + "(\\." + LABEL_FORMAT + ")*";

  private static final String LABEL =
      regex(
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
              + " and must start and end with an alphanumeric character",
          LABEL_FORMAT,
          "my-name",
          "123-abc");

  private static final String SUBDOMAIN =
      regex(
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-'"
              + " or '.', and must start and end with an alphanumeric character",
          SUBDOMAIN_FORMAT,
          "example.com");

  private static final String CASELESS_SUBDOMAIN =
      regex(
          "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must"
              + " start and end with an alphanumeric character",
          SUBDOMAIN_FORMAT,
          "Example.com");

  private static final String UNDERSCORE_FORMAT =
      "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*";
  private static final Pattern UNDERSCORE_PATTERN = Pattern.compile(UNDERSCORE_FORMAT + "+");

  private static final String SUBDOMAIN_WITH_UNDERSCORE =
      regex(
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_',"
              + " '-' or '.', and must start and end with an alphanumeric character",
          UNDERSCORE_FORMAT,
          "example.com");

  private static final String LABEL_1035 =
      regex(
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with"
              + " an alphabetic character, and end with an alphanumeric character",
          "[a-z]([-a-z0-9]*[a-z0-9])?",
          "my-name",
          "abc-123");

  private static final String WILDCARD_SUBDOMAIN =
      regex(
          "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain,"
              + " which must consist of lower case alphanumeric characters, '-' or '.' and end with"
              + " an alphanumeric character",
          "\\*\\." + SUBDOMAIN_FORMAT,
          "*.example.com");

  private static final String KEY =
      regex(
          "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
              + " an alphanumeric character",
          "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
          "MyName",
          "my.name",
          "123-abc");

  private static final String LABEL_VALUE =
      regex(
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
              + " or '.', and must start and end with an alphanumeric character",
          "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
          "MyValue",
          "my_value",
          "12345");

  private static final String CONFIG_KEY =
      regex(
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
          "[-._a-zA-Z0-9]+",
          "key.name",
          "KEY_NAME",
          "key-name");

  private static final String PERCENT =
      regex(
          "a valid percent string must be a numeric string followed by an ending '%'",
          "[0-9]+%", "1%", "93%");

  private static final String HTTP_HEADER =
      regex(
          "a valid HTTP header must consist of alphanumeric characters or '-'",
          "[-A-Za-z0-9]+",
          "X-Header-Name");

  private Names() {}

  /// What an object's name must look like; differs by kind.
  public enum Rule implements NameRule {
    DNS_SUBDOMAIN,
    DNS_LABEL,
    DNS_1035_LABEL,
    /// Anything that can stand in a URL.
    PATH_SEGMENT;

    @Override
    public List<String> check(String name, boolean prefix) {
      return switch (this) {
        case DNS_SUBDOMAIN -> dnsSubdomain(prefix ? maskTrailingDash(name) : name);
        case DNS_LABEL -> dnsLabel(prefix ? maskTrailingDash(name) : name);
        case DNS_1035_LABEL -> dns1035Label(prefix ? maskTrailingDash(name) : name);
        case PATH_SEGMENT -> pathSegment(name, prefix);
      };
    }

    // Kubernetes cuts two characters, not one; the outcome differs for names like "a_-".
    private static String maskTrailingDash(String name) {
      return name.length() > 1 && name.endsWith("-")
          ? name.substring(0, name.length() - 2) + "a"
          : name;
    }
  }

  public static List<String> dnsLabel(String value) {
    if (value.length() <= 63 && isLabel(value, 0, value.length())) {
      return List.of();
    }
    var wrong = new ArrayList<String>();
    if (bytes(value) > 63) {
      wrong.add(tooLong(63));
    }
    if (!isLabel(value, 0, value.length())) {
      wrong.add(isSubdomain(value, 0) ? "must not contain dots" : LABEL);
    }
    return wrong;
  }

  public static List<String> dnsSubdomain(String value) {
    return check(value, 253, isSubdomain(value, 0), SUBDOMAIN);
  }

  /// A label as rules declared at the fields see it: they count bytes.
  public static List<String> dnsSubdomainInBytes(String value) {
    return inBytes(dnsSubdomain(value));
  }

  public static List<String> dnsLabelInBytes(String value) {
    return inBytes(dnsLabel(value));
  }

  /// A subdomain that may also have upper case letters.
  public static List<String> caselessSubdomain(String value) {
    boolean ok = isSubdomain(value.toLowerCase(Locale.ROOT), 0);
    return inBytes(check(value, 253, ok, CASELESS_SUBDOMAIN));
  }

  private static List<String> inBytes(List<String> complaints) {
    return complaints.stream()
        .map(
            each -> each.startsWith("must be no more") ? each.replace("characters", "bytes") : each)
        .toList();
  }

  /// A subdomain whose labels may also begin with or contain underscores, as in DNS search paths.
  public static List<String> dnsSubdomainWithUnderscore(String value) {
    return check(
        value, 253, UNDERSCORE_PATTERN.matcher(value).matches(), SUBDOMAIN_WITH_UNDERSCORE);
  }

  public static List<String> wildcardDnsSubdomain(String value) {
    return check(value, 253, value.startsWith("*.") && isSubdomain(value, 2), WILDCARD_SUBDOMAIN);
  }

  public static List<String> dns1035Label(String value) {
    boolean ok = isLabel(value, 0, value.length()) && isLower(value.charAt(0));
    return check(value, 63, ok, LABEL_1035);
  }

  /// A label key or any other name with an optional prefix: `example.com/name`.
  public static List<String> qualifiedName(String value) {
    int slash = value.indexOf('/');
    if (slash < 0) {
      return nameWithoutPrefix(value);
    }
    if (value.indexOf('/', slash + 1) >= 0) {
      return List.of(
          "a valid label key "
              + KEY
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }
    var wrong = new ArrayList<String>();
    if (slash == 0) {
      wrong.add("prefix part must be non-empty");
    } else {
      var prefix = value.substring(0, slash);
      if (bytes(prefix) > 253) {
        wrong.add("prefix part must be no more than 253 bytes");
      }
      if (!isSubdomain(prefix, 0)) {
        wrong.add("prefix part " + SUBDOMAIN);
      }
    }
    wrong.addAll(nameWithoutPrefix(value.substring(slash + 1)));
    return wrong;
  }

  private static List<String> nameWithoutPrefix(String name) {
    if (name.length() <= 63 && isKey(name)) {
      return List.of();
    }
    var wrong = new ArrayList<String>();
    if (name.isEmpty()) {
      wrong.add("name part must be non-empty");
    } else if (bytes(name) > 63) {
      wrong.add("name part must be no more than 63 bytes");
    }
    if (!isKey(name)) {
      wrong.add("name part " + KEY);
    }
    return wrong;
  }

  public static List<String> labelValue(String value) {
    boolean ok = value.isEmpty() || isKey(value);
    if (ok && value.length() <= 63) {
      return List.of();
    }
    var wrong = new ArrayList<String>();
    if (bytes(value) > 63) {
      wrong.add("must be no more than 63 bytes");
    }
    if (!ok) {
      wrong.add(LABEL_VALUE);
    }
    return wrong;
  }

  public static List<String> pathSegment(String name) {
    return pathSegment(name, false);
  }

  public static List<String> pathSegment(String name, boolean prefix) {
    if (!prefix && (name.equals(".") || name.equals(".."))) {
      return List.of("may not be '" + name + "'");
    }
    var wrong = new ArrayList<String>();
    if (name.indexOf('/') >= 0) {
      wrong.add("may not contain '/'");
    }
    if (name.indexOf('%') >= 0) {
      wrong.add("may not contain '%'");
    }
    return wrong;
  }

  public static List<String> portName(String port) {
    var wrong = new ArrayList<String>();
    if (bytes(port) > 15) {
      wrong.add(tooLong(15));
    }
    if (port.isEmpty() || !port.chars().allMatch(c -> c == '-' || isLower(c) || isDigit(c))) {
      wrong.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if (port.chars().noneMatch(Names::isLower)) {
      wrong.add("must contain at least one letter (a-z)");
    }
    if (port.contains("--")) {
      wrong.add("must not contain consecutive hyphens");
    }
    if (port.startsWith("-") || port.endsWith("-")) {
      wrong.add("must not begin or end with a hyphen");
    }
    return wrong;
  }

  public static List<String> portNumber(long port) {
    return inRange(port, 1, 65535);
  }

  public static List<String> inRange(long value, long min, long max) {
    return value >= min && value <= max
        ? List.of()
        : List.of("must be between " + min + " and " + max + ", inclusive");
  }

  /// Any printable ASCII but `=`, as environment variables may be named since 1.34.
  public static List<String> envVarName(String value) {
    if (value.isEmpty()) {
      return List.of("environment variable name must be non-empty");
    }
    return value.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != '=')
        ? List.of()
        : List.of(
            "a valid environment variable name must consist only of printable ASCII characters"
                + " other than '='");
  }

  public static List<String> configMapKey(String value) {
    var wrong = new ArrayList<String>();
    if (bytes(value) > 253) {
      wrong.add(tooLong(253));
    }
    boolean ok = !value.isEmpty();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      ok &= isAlphanumeric(c) || c == '-' || c == '_' || c == '.';
    }
    if (!ok) {
      wrong.add(CONFIG_KEY);
    }
    if (value.equals(".")) {
      wrong.add("must not be '.'");
    } else if (value.equals("..")) {
      wrong.add("must not be '..'");
    } else if (value.startsWith("..")) {
      wrong.add("must not start with '..'");
    }
    return wrong;
  }

  public static List<String> percent(String value) {
    boolean ok = value.length() > 1 && value.endsWith("%");
    for (int i = 0; i < value.length() - 1; i++) {
      ok &= isDigit(value.charAt(i));
    }
    return ok ? List.of() : List.of(PERCENT);
  }

  public static List<String> httpHeaderName(String value) {
    boolean ok = !value.isEmpty();
    for (int i = 0; i < value.length(); i++) {
      ok &= isAlphanumeric(value.charAt(i)) || value.charAt(i) == '-';
    }
    return ok ? List.of() : List.of(HTTP_HEADER);
  }

  /// Kubernetes' sentence about a regular expression that does not match.
  public static String regex(String message, String format, String... examples) {
    var text = new StringBuilder(message).append(" (");
    for (int i = 0; i < examples.length; i++) {
      text.append(i == 0 ? "e.g. " : " or ").append('\'').append(examples[i]).append("', ");
    }
    return text.append("regex used for validation is '").append(format).append("')").toString();
  }

  /// Length as Kubernetes counts it.
  public static int bytes(String value) {
    return value.getBytes(StandardCharsets.UTF_8).length;
  }

  private static List<String> check(String value, int max, boolean ok, String message) {
    if (ok && value.length() <= max) {
      return List.of();
    }
    var wrong = new ArrayList<String>();
    if (bytes(value) > max) {
      wrong.add(tooLong(max));
    }
    if (!ok) {
      wrong.add(message);
    }
    return wrong;
  }

  private static String tooLong(int max) {
    return "must be no more than " + max + " characters";
  }

  private static boolean isSubdomain(String value, int from) {
    int start = from;
    for (int i = from; i <= value.length(); i++) {
      if (i == value.length() || value.charAt(i) == '.') {
        if (!isLabel(value, start, i)) {
          return false;
        }
        start = i + 1;
      }
    }
    return true;
  }

  private static boolean isLabel(String value, int from, int to) {
    if (from >= to || value.charAt(from) == '-' || value.charAt(to - 1) == '-') {
      return false;
    }
    for (int i = from; i < to; i++) {
      char c = value.charAt(i);
      if (!isLower(c) && !isDigit(c) && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isKey(String value) {
    if (value.isEmpty()
        || !isAlphanumeric(value.charAt(0))
        || !isAlphanumeric(value.charAt(value.length() - 1))) {
      return false;
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (!isAlphanumeric(c) && c != '-' && c != '_' && c != '.') {
        return false;
      }
    }
    return true;
  }

  private static boolean isAlphanumeric(int c) {
    return isLower(c) || isDigit(c) || (c >= 'A' && c <= 'Z');
  }

  private static boolean isLower(int c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }
}
