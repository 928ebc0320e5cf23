package io.berth.console.view;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table by rows.
final class Rows {

  private final List<@Nullable Object> rows = new ArrayList<>();

  /// A new row that begins with these; the caller adds to it.
  List<@Nullable Object> row(Object... first) {
    var row = new ArrayList<@Nullable Object>(Arrays.asList(first));
    rows.add(row);
    return row;
  }

  List<@Nullable Object> rows() {
    return rows;
  }
}
