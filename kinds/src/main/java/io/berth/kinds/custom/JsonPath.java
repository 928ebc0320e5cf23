package io.berth.kinds.custom;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The paths that definitions use: `.spec.tags[0]`,
/// `.status.conditions[?(@.type=="Ready")].status`.
///
/// Fields, `['quoted fields']`, positions, slices, `[*]` and filters that compare a field with a
/// value.
public final class JsonPath {

  private static final Pattern SLICE = Pattern.compile("(-?\\d{0,9}):(-?\\d{0,9})(:(-?\\d{0,9}))?");

  private final List<Step> steps;

  private JsonPath(List<Step> steps) {
    this.steps = steps;
  }

  /// The path in this text, if it is one.
  public static Optional<JsonPath> parse(String text) {
    var steps = new ArrayList<Step>();
    int at = 0;
    while (at < text.length()) {
      if (text.charAt(at) == '.') {
        int end = endOfName(text, at + 1);
        var name = text.substring(at + 1, end).replace("\\.", ".");
        if (!name.isEmpty()) {
          steps.add(name.equals("*") ? new All() : new Field(name));
        } else if (end == at + 1 && end < text.length() && text.charAt(end) != '[') {
          return Optional.empty();
        }
        at = end;
      } else if (text.charAt(at) == '[') {
        int end = endOfBracket(text, at);
        var step = end < 0 ? null : bracket(text.substring(at + 1, end));
        if (step == null) {
          return Optional.empty();
        }
        steps.add(step);
        at = end + 1;
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(new JsonPath(List.copyOf(steps)));
  }

  private static int endOfName(String text, int from) {
    int end = from;
    while (end < text.length() && text.charAt(end) != '.' && text.charAt(end) != '[') {
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    return Math.min(end, text.length());
  }

  private static int endOfBracket(String text, int from) {
    char quote = 0;
    for (int i = from + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == ']') {
        return i;
      }
    }
    return -1;
  }

  private static @Nullable Step bracket(String text) {
    var inside = text.strip();
    if (inside.equals("*")) {
      return new All();
    }
    if (inside.startsWith("?(@") && inside.endsWith(")")) {
      return filter(inside.substring(3, inside.length() - 1));
    }
    var quoted = unquoted(inside);
    if (quoted != null) {
      return new Field(quoted.replace("\\.", "."));
    }
    var slice = SLICE.matcher(inside);
    if (slice.matches()) {
      return new Slice(number(slice.group(1)), number(slice.group(2)), number(slice.group(4)));
    }
    try {
      return new Position(Integer.parseInt(inside));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Integer number(@Nullable String text) {
    return text == null || text.isEmpty() || text.equals("-") ? null : Integer.valueOf(text);
  }

  private static @Nullable Step filter(String condition) {
    boolean equal = condition.contains("==");
    int operator = equal ? condition.indexOf("==") : condition.indexOf("!=");
    if (operator < 0) {
      return parse(condition.strip()).map(path -> (Step) new Having(path)).orElse(null);
    }
    var left = parse(condition.substring(0, operator).strip()).orElse(null);
    var right = condition.substring(operator + 2).strip();
    var text = unquoted(right);
    return left == null ? null : new Comparing(left, text == null ? right : text, equal);
  }

  private static @Nullable String unquoted(String text) {
    boolean quoted =
        text.length() >= 2
            && (text.charAt(0) == '\'' || text.charAt(0) == '"')
            && text.charAt(text.length() - 1) == text.charAt(0);
    return quoted ? text.substring(1, text.length() - 1) : null;
  }

  /// Everything the path leads to; empty where a field is missing.
  public List<@Nullable Object> find(Tree object) {
    var found = new ArrayList<@Nullable Object>();
    found.add(object);
    for (var step : steps) {
      var next = new ArrayList<@Nullable Object>();
      found.forEach(value -> step.follow(value, next));
      found = next;
    }
    return found;
  }

  /// The names of a path that only goes from field to field.
  public Optional<List<String>> fields() {
    var names = new ArrayList<String>();
    for (var step : steps) {
      if (!(step instanceof Field field)) {
        return Optional.empty();
      }
      names.add(field.name);
    }
    return Optional.of(names);
  }

  private sealed interface Step {
    void follow(@Nullable Object value, List<@Nullable Object> found);
  }

  private record Field(String name) implements Step {
    @Override
    public void follow(@Nullable Object value, List<@Nullable Object> found) {
      if (value instanceof Tree tree && tree.has(name)) {
        found.add(tree.get(name));
      }
    }
  }

  private record Position(int index) implements Step {
    @Override
    public void follow(@Nullable Object value, List<@Nullable Object> found) {
      if (value instanceof List<?> list) {
        int at = index < 0 ? list.size() + index : index;
        if (at >= 0 && at < list.size()) {
          found.add(list.get(at));
        }
      }
    }
  }

  /// `[1:3]`, `[-1:]`, `[::2]`: a part of a list, whose end is not in it.
  private record Slice(@Nullable Integer from, @Nullable Integer to, @Nullable Integer step)
      implements Step {
    @Override
    public void follow(@Nullable Object value, List<@Nullable Object> found) {
      if (!(value instanceof List<?> list) || (step != null && step <= 0)) {
        return;
      }
      int first = from == null ? 0 : from < 0 ? list.size() + from : from;
      int end = to == null ? list.size() : to < 0 ? list.size() + to : to;
      for (int i = Math.max(0, first);
          i < Math.min(end, list.size());
          i += step == null ? 1 : step) {
        found.add(list.get(i));
      }
    }
  }

  private record All() implements Step {
    @Override
    public void follow(@Nullable Object value, List<@Nullable Object> found) {
      if (value instanceof List<?> list) {
        found.addAll(list);
      } else if (value instanceof Tree tree) {
        found.addAll(tree.fields().values());
      }
    }
  }

  private record Having(JsonPath path) implements Step {
    @Override
    public void follow(@Nullable Object value, List<@Nullable Object> found) {
      each(value, found, element -> !path.find(element).isEmpty());
    }
  }

  private record Comparing(JsonPath path, String wanted, boolean equal) implements Step {
    @Override
    public void follow(@Nullable Object value, List<@Nullable Object> found) {
      each(
          value,
          found,
          element -> {
            var values = path.find(element);
            return !values.isEmpty()
                && Objects.equals(String.valueOf(values.getFirst()), wanted) == equal;
          });
    }
  }

  private static void each(
      @Nullable Object value,
      List<@Nullable Object> found,
      java.util.function.Predicate<Tree> wanted) {
    if (value instanceof List<?> list) {
      for (var element : list) {
        if (element instanceof Tree tree && wanted.test(tree)) {
          found.add(tree);
        }
      }
    }
  }
}
