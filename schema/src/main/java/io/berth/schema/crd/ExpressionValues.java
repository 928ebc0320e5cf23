package io.berth.schema.crd;

import com.google.protobuf.NullValue;
import dev.cel.common.values.CelByteString;
import io.berth.api.Tree;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Values of objects as expressions see them.
final class ExpressionValues {

  private static final Pattern AMOUNT =
      Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h|d|w)");

  private ExpressionValues() {}

  static Object of(@Nullable Object value, StructuralSchema schema, boolean resourceRoot) {
    return switch (value) {
      case null -> NullValue.NULL_VALUE;
      case Tree tree ->
          schema.additional() == null ? object(tree, schema, resourceRoot) : map(tree, schema);
      case List<?> list -> list(list, schema);
      case String text -> text(text, schema);
      case Long number -> schema.type().equals("number") ? (Object) number.doubleValue() : number;
      case Double number -> schema.type().equals("integer") ? (Object) number.longValue() : number;
      default -> value;
    };
  }

  private static Map<String, Object> object(
      Tree tree, StructuralSchema schema, boolean resourceRoot) {
    var fields = new LinkedHashMap<String, Object>();
    tree.fields()
        .forEach((name, value) -> {
          var property = schema.property(name);
          var escaped = Identifiers.escape(name);
          if (property != null && escaped != null) {
            fields.put(escaped, of(value, property, property.isEmbedded()));
          }
        });
    if (resourceRoot) {
      fields.put("apiVersion", tree.textOrEmpty("apiVersion"));
      fields.put("kind", tree.textOrEmpty("kind"));
      fields.put("metadata", metadata(tree));
    }
    return new FieldValues(fields);
  }

  private static Map<String, Object> metadata(Tree tree) {
    var metadata = new LinkedHashMap<String, Object>();
    for (var name : List.of("name", "generateName")) {
      var text = tree.text("metadata", name);
      if (text != null) {
        metadata.put(name, text);
      }
    }
    return metadata;
  }

  private static Map<String, Object> map(Tree tree, StructuralSchema schema) {
    var entries = new LinkedHashMap<String, Object>();
    var additional = schema.additional();
    if (additional != null) {
      tree.fields()
          .forEach(
              (name, value) -> entries.put(name, of(value, additional, additional.isEmbedded())));
    }
    return entries;
  }

  private static List<Object> list(List<?> list, StructuralSchema schema) {
    var elements = new ArrayList<Object>();
    var items = schema.items();
    for (var each : list) {
      elements.add(items == null ? String.valueOf(each) : of(each, items, items.isEmbedded()));
    }
    return elements;
  }

  private static Object text(String text, StructuralSchema schema) {
    if (!schema.type().equals("string")) {
      return text;
    }
    try {
      return switch (schema.format()) {
        case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
        case "duration" -> duration(text);
        case "date" -> Instant.parse(text + "T00:00:00Z");
        case "date-time" -> OffsetDateTime.parse(text).toInstant();
        default -> text;
      };
    } catch (DateTimeParseException | IllegalArgumentException e) {
      // What is not of its format was found before expressions are evaluated.
      return text;
    }
  }

  private static Duration duration(String text) {
    var total = Duration.ZERO;
    var amounts = AMOUNT.matcher(text);
    while (amounts.find()) {
      double nanos =
          switch (amounts.group(2)) {
            case "ns" -> 1;
            case "us", "µs", "μs" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m" -> 60e9;
            case "h" -> 3600e9;
            case "d" -> 24 * 3600e9;
            default -> 7 * 24 * 3600e9;
          };
      total = total.plusNanos(Math.round(Double.parseDouble(amounts.group(1)) * nanos));
    }
    return text.startsWith("-") ? total.negated() : total;
  }
}
