package io.berth.schema.cel;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A semantic version; what follows `+` does not matter for the order.
record Semver(long major, long minor, long patch, List<String> preRelease)
    implements Comparable<Semver> {

  private static final String NUMBER = "(0|[1-9][0-9]{0,17})";
  private static final Pattern STRICT =
      Pattern.compile(
          NUMBER
              + "\\."
              + NUMBER
              + "\\."
              + NUMBER
              + "(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*+))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*+)?");

  static @Nullable Semver parse(String text, boolean lenient) {
    var matcher = STRICT.matcher(lenient ? normal(text) : text);
    if (!matcher.matches()) {
      return null;
    }
    var preRelease = matcher.group(4);
    return new Semver(
        Long.parseLong(matcher.group(1)),
        Long.parseLong(matcher.group(2)),
        Long.parseLong(matcher.group(3)),
        preRelease == null ? List.of() : List.of(preRelease.split("\\.", -1)));
  }

  /// Without a leading `v`, leading zeros, and with all three numbers.
  private static String normal(String text) {
    var plain = text.startsWith("v") ? text.substring(1) : text;
    int end = 0;
    while (end < plain.length() && "-+".indexOf(plain.charAt(end)) < 0) {
      end++;
    }
    var numbers = plain.substring(0, end).split("\\.", -1);
    var core = new StringBuilder();
    for (int i = 0; i < Math.max(3, numbers.length); i++) {
      var number = i < numbers.length ? numbers[i].replaceFirst("^0+(?=[0-9])", "") : "0";
      core.append(i == 0 ? "" : ".").append(number);
    }
    return core + plain.substring(end);
  }

  @Override
  public int compareTo(Semver other) {
    int order = Long.compare(major, other.major);
    order = order == 0 ? Long.compare(minor, other.minor) : order;
    order = order == 0 ? Long.compare(patch, other.patch) : order;
    return order == 0 ? comparePreReleases(preRelease, other.preRelease) : order;
  }

  private static int comparePreReleases(List<String> a, List<String> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return Boolean.compare(a.isEmpty(), b.isEmpty());
    }
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int order = compareIdentifiers(a.get(i), b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  private static int compareIdentifiers(String a, String b) {
    boolean numeric = a.matches("[0-9]{1,18}");
    if (numeric != b.matches("[0-9]{1,18}")) {
      return numeric ? -1 : 1;
    }
    return numeric ? Long.compare(Long.parseLong(a), Long.parseLong(b)) : a.compareTo(b);
  }
}
