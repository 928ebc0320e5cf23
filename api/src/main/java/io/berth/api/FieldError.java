package io.berth.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedCollection;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One objection to one field, in the words of Kubernetes.
///
/// `text` is everything behind the field: `Invalid value: -1: must be greater than or equal to 0`.
public record FieldError(Type type, String field, String text) {

  private static final Set<String> MAPS =
      Set.of("matchLabels", "labels", "annotations", "nodeSelector");

  /// What is wrong; the reason of a cause in a `Status`, and how its text begins.
  public enum Type {
    REQUIRED("FieldValueRequired", "Required value"),
    INVALID("FieldValueInvalid", "Invalid value"),
    DUPLICATE("FieldValueDuplicate", "Duplicate value"),
    FORBIDDEN("FieldValueForbidden", "Forbidden"),
    NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value"),
    TOO_LONG("FieldValueTooLong", "Too long"),
    TOO_MANY("FieldValueTooMany", "Too many"),
    TOO_FEW("FieldValueTooFew", "Too few"),
    NOT_FOUND("FieldValueNotFound", "Not found"),
    INTERNAL("InternalError", "Internal error"),
    TYPE_INVALID("FieldValueTypeInvalid", "Invalid value");

    private final String reason;
    private final String label;

    Type(String reason, String label) {
      this.reason = reason;
      this.label = label;
    }

    /// The reason in `details.causes`.
    public String reason() {
      return reason;
    }
  }

  public static FieldError required(FieldPath path, String detail) {
    return plain(Type.REQUIRED, path, detail);
  }

  public static FieldError forbidden(FieldPath path, String detail) {
    return plain(Type.FORBIDDEN, path, detail);
  }

  public static FieldError internal(FieldPath path, String detail) {
    return plain(Type.INTERNAL, path, detail);
  }

  /// An objection that does not repeat the value.
  public static FieldError invalidWithoutValue(FieldPath path, String detail) {
    return plain(Type.INVALID, path, detail);
  }

  public static FieldError invalid(FieldPath path, @Nullable Object value, String detail) {
    return withValue(Type.INVALID, path, value, detail);
  }

  public static FieldError typeInvalid(FieldPath path, @Nullable Object value, String detail) {
    return withValue(Type.TYPE_INVALID, path, value, detail);
  }

  public static FieldError duplicate(FieldPath path, @Nullable Object value) {
    return withValue(Type.DUPLICATE, path, value, "");
  }

  public static FieldError duplicate(FieldPath path, @Nullable Object value, String detail) {
    return withValue(Type.DUPLICATE, path, value, detail);
  }

  public static FieldError notFound(FieldPath path, @Nullable Object value) {
    return withValue(Type.NOT_FOUND, path, value, "");
  }

  public static FieldError notFound(FieldPath path, @Nullable Object value, String detail) {
    return withValue(Type.NOT_FOUND, path, value, detail);
  }

  public static FieldError notSupported(
      FieldPath path, @Nullable Object value, SequencedCollection<String> supported) {
    if (supported.isEmpty()) {
      return withValue(Type.NOT_SUPPORTED, path, value, "");
    }
    var quoted = new ArrayList<String>(supported.size());
    supported.forEach(each -> quoted.add(quoted(each)));
    return withValue(
        Type.NOT_SUPPORTED, path, value, "supported values: " + String.join(", ", quoted));
  }

  public static FieldError tooLong(FieldPath path, int maxBytes) {
    return plain(
        Type.TOO_LONG,
        path,
        "may not be more than " + maxBytes + (maxBytes == 1 ? " byte" : " bytes"));
  }

  /// The same about a text whose characters are counted.
  public static FieldError tooLongText(FieldPath path, int maxCharacters) {
    return plain(Type.TOO_LONG, path, "may not be more than " + maxCharacters + " characters");
  }

  /// `actual` negative: how many there are is not told.
  public static FieldError tooMany(FieldPath path, int actual, int max) {
    var detail = "must have at most " + max + (max == 1 ? " item" : " items");
    return actual < 0
        ? plain(Type.TOO_MANY, path, detail)
        : withValue(Type.TOO_MANY, path, (long) actual, detail);
  }

  private static FieldError plain(Type type, FieldPath path, String detail) {
    return new FieldError(
        type, path.toString(), detail.isEmpty() ? type.label : type.label + ": " + detail);
  }

  private static FieldError withValue(
      Type type, FieldPath path, @Nullable Object value, String detail) {
    var text = type.label + ": " + rendered(value);
    return new FieldError(type, path.toString(), detail.isEmpty() ? text : text + ": " + detail);
  }

  /// The error as a line: `spec.replicas: Invalid value: -1: must be greater than or equal to 0`.
  @Override
  public String toString() {
    return field + ": " + text;
  }

  /// A value as messages show it: text in quotes, everything else as JSON.
  ///
  /// A [Map] is printed with sorted keys, a [Tree] in its own order, as Go prints maps and structs.
  public static String rendered(@Nullable Object value) {
    if (value instanceof String text) {
      return quoted(text);
    }
    if (value instanceof Double number) {
      return GoNumbers.text(number);
    }
    var json = new StringBuilder();
    appendJson(json, value);
    return json.toString();
  }

  private static void appendJson(StringBuilder json, @Nullable Object value) {
    switch (value) {
      case null -> json.append("null");
      case String text -> appendJsonText(json, text);
      case Tree tree -> appendObject(json, tree.fields());
      case Map<?, ?> map -> appendObject(json, new TreeMap<>(map));
      case List<?> list -> appendArray(json, list);
      default -> json.append(value);
    }
  }

  private static void appendObject(StringBuilder json, Map<?, ?> fields) {
    json.append('{');
    for (var field : fields.entrySet()) {
      if (json.charAt(json.length() - 1) != '{') {
        json.append(',');
      }
      var name = (String) field.getKey();
      appendJsonText(json, name);
      json.append(':');
      appendJson(json, isMap(name, field.getValue()) ? sorted(field.getValue()) : field.getValue());
    }
    json.append('}');
  }

  // What Go keeps in a map it prints sorted, also inside of a struct.
  private static boolean isMap(String name, @Nullable Object value) {
    return value instanceof Tree && MAPS.contains(name);
  }

  private static Object sorted(@Nullable Object value) {
    return value instanceof Tree tree ? new TreeMap<>(tree.fields()) : Map.of();
  }

  private static void appendArray(StringBuilder json, List<?> list) {
    json.append('[');
    for (int i = 0; i < list.size(); i++) {
      if (i > 0) {
        json.append(',');
      }
      appendJson(json, list.get(i));
    }
    json.append(']');
  }

  // Go's JSON escapes what could end a script element, too.
  private static void appendJsonText(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        case '\b' -> json.append("\\b");
        case '\f' -> json.append("\\f");
        default -> {
          if (c < 0x20 || c == '<' || c == '>' || c == '&' || c == 0x2028 || c == 0x2029) {
            json.append("\\u%04x".formatted((int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    json.append('"');
  }

  /// Text in double quotes with the escapes Go uses.
  public static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    text.codePoints().forEach(c -> appendQuoted(quoted, c));
    return quoted.append('"').toString();
  }

  private static void appendQuoted(StringBuilder quoted, int c) {
    switch (c) {
      case '"' -> quoted.append("\\\"");
      case '\\' -> quoted.append("\\\\");
      case 0x07 -> quoted.append("\\a");
      case '\b' -> quoted.append("\\b");
      case '\f' -> quoted.append("\\f");
      case '\n' -> quoted.append("\\n");
      case '\r' -> quoted.append("\\r");
      case '\t' -> quoted.append("\\t");
      case 0x0b -> quoted.append("\\v");
      default -> {
        if (c < 0x20 || c == 0x7f) {
          quoted.append("\\x%02x".formatted(c));
        } else if (isPrintable(c)) {
          quoted.appendCodePoint(c);
        } else {
          quoted.append((c < 0x10000 ? "\\u%04x" : "\\U%08x").formatted(c));
        }
      }
    }
  }

  /// Whether Go prints this character as it is.
  public static boolean isPrintable(int c) {
    return c == ' '
        || switch (Character.getType(c)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.SURROGATE,
              Character.PRIVATE_USE,
              Character.UNASSIGNED,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR,
              Character.SPACE_SEPARATOR ->
              false;
          default -> true;
        };
  }
}
