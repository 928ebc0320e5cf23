package io.berth.workloads.types;

import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.types.Type.Field;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The table of request bodies, and the check of a body against it.
///
/// Null and absent are the same everywhere: clients send explicit nulls for what they leave out.
public final class Types {

  public static final Types REQUESTS = read("requests.types", false);

  /// What is answered: objects may have more fields than are listed.
  public static final Types ANSWERS = read("answers.types", true);

  private static final int MAX_PROBLEMS = 20;

  private final Map<String, Map<String, Field>> types;
  private final boolean open;

  private Types(Map<String, Map<String, Field>> types, boolean open) {
    this.types = types;
    this.open = open;
  }

  public Map<String, Field> fields(String type) {
    return Objects.requireNonNull(types.get(type), () -> "no type " + type);
  }

  public Iterable<String> names() {
    return types.keySet();
  }

  /// Refuses a body that is not of this type, naming each field, its value and what it should be.
  public void check(String type, @Nullable Object body) {
    var problems = problems(type, body);
    if (!problems.isEmpty()) {
      throw Refusal.badRequest("Bad request - " + String.join("; ", problems));
    }
  }

  public List<String> problems(String type, @Nullable Object body) {
    var problems = new ArrayList<String>();
    check("", type.startsWith("[") ? TypeReader.read(type) : new Type.Ref(type), body, problems);
    return problems;
  }

  private void check(String path, Type type, @Nullable Object value, List<String> problems) {
    if (value == null || problems.size() >= MAX_PROBLEMS) {
      return;
    }
    switch (type) {
      case Type.Any _ -> {}
      case Type.Flag _ -> expect(value instanceof Boolean, path, "true or false", value, problems);
      case Type.OneOf(var values) ->
          expect(
              value instanceof String text && values.contains(text),
              path,
              "one of " + String.join(", ", values),
              value,
              problems);
      case Type.Text text -> checkText(path, text, value, problems);
      case Type.Numeric number -> checkNumber(path, number, value, problems);
      case Type.ListOf list -> checkList(path, list, value, problems);
      case Type.MapOf(var element) -> {
        if (expect(value instanceof Tree, path, "an object", value, problems)) {
          ((Tree) value)
              .fields()
              .forEach((name, each) -> check(join(path, name), element, each, problems));
        }
      }
      case Type.Ref(var name) -> {
        if (expect(value instanceof Tree, path, "an object", value, problems)) {
          checkObject(path, fields(name), (Tree) value, problems);
        }
      }
    }
  }

  private void checkObject(
      String path, Map<String, Field> fields, Tree value, List<String> problems) {
    for (var name : value.names()) {
      if (!open && !fields.containsKey(name) && value.get(name) != null) {
        problems.add("unknown field \"%s\"".formatted(join(path, name)));
      }
    }
    for (var field : fields.values()) {
      var each = value.get(field.name());
      if (each == null && field.required()) {
        problems.add("field \"%s\" is required".formatted(join(path, field.name())));
      }
      check(join(path, field.name()), field.type(), each, problems);
    }
  }

  private void checkList(String path, Type.ListOf list, Object value, List<String> problems) {
    if (!expect(value instanceof List<?>, path, "a list", value, problems)) {
      return;
    }
    var elements = (List<?>) value;
    if (elements.size() < list.least() || elements.size() > list.most()) {
      problems.add(
          "field \"%s\" has %d items; allowed are %s"
              .formatted(path, elements.size(), range(list.least(), list.most())));
    }
    for (int i = 0; i < elements.size(); i++) {
      check("%s[%d]".formatted(path, i), list.element(), elements.get(i), problems);
    }
  }

  private static void checkText(String path, Type.Text type, Object value, List<String> problems) {
    var what = type.form().equals("string") ? "a string" : "a " + type.form();
    if (!expect(value instanceof String, path, what, value, problems)) {
      return;
    }
    var text = (String) value;
    if (text.length() < type.least() || text.length() > type.most()) {
      problems.add(
          "field \"%s\" has %d characters; allowed are %s"
              .formatted(path, text.length(), range(type.least(), type.most())));
    } else if (type.pattern() != null && !type.pattern().matcher(text).find()) {
      problems.add(
          "field \"%s\": \"%s\" is no %s; it must match %s"
              .formatted(path, text, type.form(), type.pattern()));
    } else if (type.form().equals("time") && !isTime(text)) {
      problems.add("field \"%s\": \"%s\" is no RFC 3339 time".formatted(path, text));
    }
  }

  private static void checkNumber(
      String path, Type.Numeric type, Object value, List<String> problems) {
    boolean fits = value instanceof Long || (!type.whole() && value instanceof Double);
    if (!expect(fits, path, type.whole() ? "an integer" : "a number", value, problems)) {
      return;
    }
    double number = ((Number) value).doubleValue();
    if (number < type.least() || number > type.most()) {
      problems.add(
          "field \"%s\" is %s; allowed are %s"
              .formatted(path, value, range(type.least(), type.most())));
    }
  }

  private static boolean expect(
      boolean holds, String path, String what, Object value, List<String> problems) {
    if (!holds) {
      problems.add("field \"%s\" must be %s, not %s".formatted(path, what, shown(value)));
    }
    return holds;
  }

  private static String shown(Object value) {
    return switch (value) {
      case Tree _ -> "an object";
      case List<?> _ -> "a list";
      case String text ->
          "\"%s\"".formatted(text.length() > 64 ? text.substring(0, 64) + "…" : text);
      default -> String.valueOf(value);
    };
  }

  private static String range(double least, double most) {
    var low = plain(least);
    var high = plain(most);
    if (high.isEmpty() || most >= Integer.MAX_VALUE) {
      return low + " or more";
    }
    return low.isEmpty() ? high + " or less" : low + " to " + high;
  }

  private static String plain(double bound) {
    if (Double.isInfinite(bound)) {
      return "";
    }
    return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
  }

  private static boolean isTime(String text) {
    try {
      OffsetDateTime.parse(text);
      return true;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static Types read(String resource, boolean open) {
    var types = new LinkedHashMap<String, Map<String, Field>>();
    Map<String, Field> current = new LinkedHashMap<>();
    for (var line : lines(resource)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (!line.startsWith(" ")) {
        current = new LinkedHashMap<>();
        types.put(line, current);
        continue;
      }
      var parts = line.strip().split(" ", 2);
      var required = parts[0].endsWith("*");
      var name = required ? parts[0].substring(0, parts[0].length() - 1) : parts[0];
      current.put(name, new Field(name, required, TypeReader.read(parts[1])));
    }
    return new Types(types, open);
  }

  static List<String> lines(String resource) {
    try (var in = Types.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
