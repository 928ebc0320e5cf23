package io.berth.workloads.list;

import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a list can be filtered and sorted by. Values come from the objects as they are answered.
public final class Columns {

  /// How values compare: numbers and times by size, everything else as text.
  public enum Kind {
    TEXT,
    NUMBER,
    TIME,
    FLAG
  }

  public record Column(String name, Kind kind, Function<Tree, @Nullable Object> value) {}

  private final Map<String, Column> columns = new LinkedHashMap<>();
  private final List<String> searched;

  private Columns(List<String> searched) {
    this.searched = searched;
  }

  /// Free text is looked for in these fields.
  public static Columns searching(String... fields) {
    return new Columns(List.of(fields));
  }

  public Columns texts(String... names) {
    return add(Kind.TEXT, names);
  }

  public Columns numbers(String... names) {
    return add(Kind.NUMBER, names);
  }

  public Columns times(String... names) {
    return add(Kind.TIME, names);
  }

  public Columns flags(String... names) {
    return add(Kind.FLAG, names);
  }

  public Columns column(String name, Kind kind, Function<Tree, @Nullable Object> value) {
    columns.put(name, new Column(name, kind, value));
    return this;
  }

  private Columns add(Kind kind, String... names) {
    for (var name : names) {
      column(name, kind, object -> object.get(name));
    }
    return this;
  }

  public Set<String> names() {
    return columns.keySet();
  }

  public boolean has(String name) {
    return columns.containsKey(name);
  }

  Column named(String name, String parameter) {
    var column = columns.get(name);
    if (column == null) {
      throw Refusal.badRequest(
          "%s: unknown field \"%s\"; use one of %s"
              .formatted(parameter, name, String.join(", ", columns.keySet())));
    }
    return column;
  }

  /// Finds a column also under the name of an enum constant, `ProjectFilterSortFields.CREATED_AT`:
  /// some clients send that.
  Column sortedBy(String name) {
    int dot = name.lastIndexOf('.');
    if (dot >= 0) {
      var constant = flat(name.substring(dot + 1));
      for (var column : columns.values()) {
        if (flat(column.name()).equals(constant)) {
          return column;
        }
      }
    }
    return named(name, "sortBy");
  }

  private static String flat(String name) {
    return name.replace("_", "").toLowerCase(Locale.ROOT);
  }

  boolean found(Tree object, String text) {
    var wanted = text.toLowerCase(Locale.ROOT);
    for (var field : searched) {
      if (object.get(field) instanceof String value
          && value.toLowerCase(Locale.ROOT).contains(wanted)) {
        return true;
      }
    }
    return false;
  }
}
