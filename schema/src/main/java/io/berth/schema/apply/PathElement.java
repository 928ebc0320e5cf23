package io.berth.schema.apply;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// One step of a path, in the form `managedFields` has it: `f:spec`, `k:{"name":"c"}`, `v:"a"`.
///
/// Steps are plain texts, so that sets of fields need no conversion when they are read and written.
final class PathElement {

  private static final int MOST_FIELDS = 4096;

  /// Steps to fields met so far; the kinds of Kubernetes have about half as many.
  private static final Map<String, String> FIELDS = new ConcurrentHashMap<>();

  private PathElement() {}

  static String field(String name) {
    var known = FIELDS.get(name);
    if (known != null) {
      return known;
    }
    var step = "f:" + name;
    if (FIELDS.size() < MOST_FIELDS) {
      FIELDS.put(name, step);
    }
    return step;
  }

  /// The step to an element of an associative list.
  static String element(Structure.ListStructure list, @Nullable Object element) {
    return list.keys().isEmpty() ? value(element) : key(list, element);
  }

  private static String value(@Nullable Object element) {
    return switch (element) {
      case null ->
          throw new IllegalArgumentException(
              "associative list without keys has an element that's an explicit null");
      case Tree _ ->
          throw new IllegalArgumentException(
              "associative list without keys has an element that's a map type");
      case List<?> _ ->
          throw new IllegalArgumentException(
              "not supported: associative list with lists as elements");
      default -> "v:" + json(element);
    };
  }

  private static String key(Structure.ListStructure list, @Nullable Object element) {
    if (element == null) {
      throw new IllegalArgumentException("associative list with keys may not have a null element");
    }
    if (!(element instanceof Tree tree)) {
      throw new IllegalArgumentException(
          "associative list with keys may not have non-map elements");
    }
    var keys = new TreeMap<String, @Nullable Object>();
    for (var name : list.keys()) {
      if (tree.has(name)) {
        keys.put(name, tree.get(name));
      } else if (list.keyDefault(name) != null) {
        keys.put(name, list.keyDefault(name));
      }
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException(
          ("associative list with keys has an element that omits all key fields %s (and doesn't"
                  + " have default values for any key fields)")
              .formatted(quotedList(list.keys())));
    }
    return key(keys);
  }

  private static String key(SortedMap<String, @Nullable Object> keys) {
    var text = new StringBuilder("k:{");
    keys.forEach((name, value) ->
        text.append(text.length() == 3 ? "" : ",")
            .append(json(name))
            .append(':')
            .append(json(value)));
    return text.append('}').toString();
  }

  private static String quotedList(List<String> names) {
    var quoted = new ArrayList<String>();
    names.forEach(name -> quoted.add("\"" + name + "\""));
    return "[" + String.join(" ", quoted) + "]";
  }

  // Go escapes these three; what is written must be found again among what Go clients wrote.
  private static String json(@Nullable Object value) {
    return Json.text(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  /// The step in the one form this class writes, or `null` when it is none.
  static @Nullable String canonical(String step) {
    if (step.length() < 2 || step.charAt(1) != ':') {
      return null;
    }
    try {
      return switch (step.charAt(0)) {
        case 'f', 'i' -> step;
        case 'v' -> "v:" + json(parsed(step));
        case 'k' -> parsed(step) instanceof Tree tree ? key(new TreeMap<>(tree.fields())) : null;
        default -> null;
      };
    } catch (SyntaxException e) {
      return null;
    }
  }

  private static @Nullable Object parsed(String step) {
    return Json.readReporting(step.substring(2).getBytes(StandardCharsets.UTF_8)).value();
  }

  /// `.spec`, `[name="c"]`, `[="a"]`: the step as messages show it.
  static String shown(String step) {
    return switch (step.charAt(0)) {
      case 'f' -> "." + step.substring(2);
      case 'v' -> "[=" + shownValue(parsed(step)) + "]";
      case 'k' -> {
        var parts = new ArrayList<String>();
        if (parsed(step) instanceof Tree tree) {
          tree.fields().forEach((name, value) -> parts.add(name + "=" + shownValue(value)));
        }
        yield "[" + String.join(",", parts) + "]";
      }
      default -> "[" + step.substring(2) + "]";
    };
  }

  static String shownValue(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> Json.text(text);
      case List<?> list -> {
        var parts = new ArrayList<String>();
        list.forEach(element -> parts.add(shownValue(element)));
        yield "[" + String.join(",", parts) + "]";
      }
      case Tree tree -> {
        var text = new StringBuilder();
        tree.fields()
            .forEach((name, each) -> text.append(name).append('=').append(shownValue(each)));
        yield text.toString();
      }
      default -> value.toString();
    };
  }
}
