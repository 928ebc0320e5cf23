package io.berth.kinds.custom;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.kinds.Cells;
import io.berth.kinds.Columns.Column;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The columns that `kubectl get` prints for a custom kind.
///
/// Mirrors: apiextensions-apiserver/pkg/registry/customresource/tableconvertor.convertor
final class PrinterColumns {

  private static final Column NAME = new Column("Name", "string", "name", 0);
  // What a definition without columns of its own shows.
  private static final Tree AGE =
      Tree.of("name", "Age", "type", "date", "jsonPath", ".metadata.creationTimestamp");

  private final List<Column> columns = new ArrayList<>();
  private final List<@Nullable JsonPath> paths = new ArrayList<>();

  PrinterColumns(List<Tree> definitions) {
    columns.add(NAME);
    for (var each : definitions.isEmpty() ? List.of(AGE) : definitions) {
      columns.add(
          new Column(
              each.textOrEmpty("name"),
              each.textOrEmpty("type"),
              each.textOrEmpty("format"),
              (int) each.number(0, "priority"),
              description(each)));
      paths.add(JsonPath.parse(each.textOrEmpty("jsonPath")).orElse(null));
    }
  }

  private static String description(Tree column) {
    var own = column.textOrEmpty("description");
    return own.isEmpty()
        ? "Custom resource definition column (in JSONPath format): "
            + column.textOrEmpty("jsonPath")
        : own;
  }

  List<Column> columns() {
    return columns;
  }

  List<@Nullable Object> cells(Tree object, Instant now) {
    var cells = Cells.row(Cells.name(object));
    for (int i = 0; i < paths.size(); i++) {
      var path = paths.get(i);
      var found = path == null ? List.of() : path.find(object);
      cells.add(found.isEmpty() ? null : cell(columns.get(i + 1).type(), found.getFirst(), now));
    }
    return cells;
  }

  private static @Nullable Object cell(String type, @Nullable Object value, Instant now) {
    return switch (type) {
      case "string" -> text(value);
      case "integer" -> value instanceof Double number ? (Object) cut(number) : whole(value);
      case "number" -> value instanceof Long number ? (Object) number.doubleValue() : real(value);
      case "boolean" -> value instanceof Boolean ? value : null;
      case "date" -> value instanceof String time ? age(time, now) : null;
      default -> null;
    };
  }

  /// As Go does on common machines: what does not fit becomes the smallest number.
  private static long cut(double number) {
    return Math.abs(number) < 0x1p63 ? (long) number : Long.MIN_VALUE;
  }

  private static @Nullable Object whole(@Nullable Object value) {
    return value instanceof Long ? value : null;
  }

  private static @Nullable Object real(@Nullable Object value) {
    return value instanceof Double ? value : null;
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "<no value>";
      case String text -> text;
      case Tree tree -> Json.text(tree);
      case List<?> list -> Json.text(list);
      default -> String.valueOf(value);
    };
  }

  private static String age(String time, Instant now) {
    try {
      return Cells.since(time, now);
    } catch (DateTimeParseException e) {
      return "<invalid>";
    }
  }
}
