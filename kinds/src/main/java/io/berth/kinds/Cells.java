package io.berth.kinds;

import io.berth.api.Tree;
import io.berth.kinds.meta.Ages;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Table cells that many kinds share.
public final class Cells {

  public static final String NONE = "<none>";
  public static final String UNKNOWN = "<unknown>";
  public static final String UNSET = "<unset>";

  private Cells() {}

  /// A row; unlike `List.of` it may hold `null`.
  public static List<@Nullable Object> row(@Nullable Object... cells) {
    var row = new ArrayList<@Nullable Object>(cells.length);
    for (var cell : cells) {
      row.add(cell instanceof Integer number ? (Object) (long) number : cell);
    }
    return row;
  }

  /// The row of a kind without columns of its own.
  public static List<@Nullable Object> nameAndCreation(Tree object) {
    return row(name(object), object.text("metadata", "creationTimestamp"));
  }

  public static String name(Tree object) {
    return object.textOrEmpty("metadata", "name");
  }

  /// How long ago the object was created: `5m`.
  public static String age(Tree object, Instant now) {
    return since(object.text("metadata", "creationTimestamp"), now);
  }

  /// How long ago this was: `2d3h`, or `<unknown>` when it never was.
  public static String since(@Nullable String time, Instant now) {
    return time == null || time.isEmpty() ? UNKNOWN : Ages.between(Instant.parse(time), now);
  }

  /// One field of many objects: `web,proxy`.
  public static String joined(List<Tree> objects, String field) {
    return objects.stream().map(each -> each.textOrEmpty(field)).collect(Collectors.joining(","));
  }

  public static String orNone(String text) {
    return text.isEmpty() ? NONE : text;
  }
}
