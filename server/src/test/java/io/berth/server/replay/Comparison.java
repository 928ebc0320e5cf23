package io.berth.server.replay;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Compares answers with expectations that contain placeholders, over one whole scenario.
///
/// A placeholder with a number stands for one value: the first sight binds it, later ones must be
/// equal, no two stand for the same, and revisions grow with their numbers.
final class Comparison {

  private static final Pattern PLACEHOLDER =
      Pattern.compile("<(?:(uid|rv|gen)-([0-9]+)|(rv|time|age|n|ip|port|token|continue|any))>");
  private static final Map<String, String> SHAPES =
      Map.of(
          "uid", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
          "rv", "[0-9]+",
          "gen", "[a-z0-9]{5}",
          "time", "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(?:\\.[0-9]+)?Z",
          "age", "(?:[0-9]+[smhdy])+",
          "n", "[0-9]+",
          "ip", "[0-9a-f.:]+",
          "port", "[0-9]+",
          "token", "[^ ]+",
          "any", "(?s).*");

  private final Map<String, String> bound = new HashMap<>();

  List<String> differences(String path, @Nullable Object expected, @Nullable Object actual) {
    var found = new ArrayList<String>();
    compare(path, expected, actual, found);
    return found;
  }

  private void compare(
      String path, @Nullable Object expected, @Nullable Object actual, List<String> found) {
    switch (expected) {
      case String text when text.equals("<any>") -> {}
      case Tree tree when actual instanceof Tree other -> compareTrees(path, tree, other, found);
      case List<?> list when actual instanceof List<?> other ->
          compareLists(path, list, other, found);
      case String text when actual instanceof String || actual instanceof Long -> {
        if (!matches(text, String.valueOf(actual), actual)) {
          found.add("%s: got %s, expected \"%s\"".formatted(path, shown(actual), text));
        }
      }
      case null, default -> {
        if (!same(expected, actual)) {
          found.add("%s: got %s, expected %s".formatted(path, shown(actual), shown(expected)));
        }
      }
    }
  }

  private static boolean same(@Nullable Object expected, @Nullable Object actual) {
    if (expected instanceof Number one && actual instanceof Number other) {
      return one.doubleValue() == other.doubleValue();
    }
    return java.util.Objects.equals(expected, actual);
  }

  private void compareTrees(String path, Tree expected, Tree actual, List<String> found) {
    var names = new TreeSet<>(expected.names());
    names.addAll(actual.names());
    for (var name : names) {
      var below = path + "." + name;
      if (!actual.has(name)) {
        found.add("%s: missing, expected %s".formatted(below, shown(expected.get(name))));
      } else if (!expected.has(name)) {
        found.add("%s: unexpected %s".formatted(below, shown(actual.get(name))));
      } else {
        compare(below, expected.get(name), actual.get(name), found);
      }
    }
  }

  private void compareLists(String path, List<?> expected, List<?> actual, List<String> found) {
    if (expected.size() != actual.size()) {
      found.add(
          "%s: got %d items %s, expected %d %s"
              .formatted(path, actual.size(), shown(actual), expected.size(), shown(expected)));
      return;
    }
    for (int i = 0; i < expected.size(); i++) {
      compare(path + "[" + i + "]", expected.get(i), actual.get(i), found);
    }
  }

  private boolean matches(String expected, String actual, Object raw) {
    if (expected.indexOf('<') < 0) {
      return raw instanceof String && expected.equals(actual);
    }
    if (raw instanceof Long && !expected.equals("<port>")) {
      return false;
    }
    var pattern = new StringBuilder();
    var names = new ArrayList<String>();
    var matcher = PLACEHOLDER.matcher(expected);
    int at = 0;
    while (matcher.find()) {
      pattern.append(Pattern.quote(expected.substring(at, matcher.start())));
      var kind = matcher.group(1) == null ? matcher.group(3) : matcher.group(1);
      pattern
          .append('(')
          .append(SHAPES.getOrDefault(kind.equals("continue") ? "token" : kind, ".*"))
          .append(')');
      names.add(matcher.group(2) == null ? "" : kind + "-" + matcher.group(2));
      at = matcher.end();
    }
    pattern.append(Pattern.quote(expected.substring(at)));
    var whole = Pattern.compile(pattern.toString(), Pattern.DOTALL).matcher(actual);
    return whole.matches() && bind(names, whole);
  }

  private boolean bind(List<String> names, Matcher values) {
    for (int i = 0; i < names.size(); i++) {
      var name = names.get(i);
      if (name.isEmpty()) {
        continue;
      }
      var value = values.group(i + 1);
      var known = bound.putIfAbsent(name, value);
      if (known == null ? !fits(name, value) : !known.equals(value)) {
        if (known == null) {
          bound.remove(name);
        }
        return false;
      }
    }
    return true;
  }

  private boolean fits(String name, String value) {
    var kind = name.substring(0, name.indexOf('-') + 1);
    int number = Integer.parseInt(name.substring(kind.length()));
    for (var other : bound.entrySet()) {
      if (other.getKey().equals(name) || !other.getKey().startsWith(kind)) {
        continue;
      }
      if (other.getValue().equals(value)) {
        return false;
      }
      int otherNumber = Integer.parseInt(other.getKey().substring(kind.length()));
      if (kind.equals("rv-")
          && (number < otherNumber) != (Long.parseLong(value) < Long.parseLong(other.getValue()))) {
        return false;
      }
    }
    return true;
  }

  private static String shown(@Nullable Object value) {
    var text = value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
    return text.length() > 300 ? text.substring(0, 300) + "…" : text;
  }
}
