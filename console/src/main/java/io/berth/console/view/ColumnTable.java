package io.berth.console.view;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A table by columns, in the order in which they are first added to.
final class ColumnTable {

  private final Map<String, List<@Nullable Object>> columns = new LinkedHashMap<>();

  void add(String column, Object value) {
    columns.computeIfAbsent(column, _ -> new ArrayList<>()).add(value);
  }

  List<@Nullable Object> firstRow() {
    var row = new ArrayList<@Nullable Object>();
    columns.values().forEach(column -> row.add(column.getFirst()));
    return row;
  }

  Tree toTree() {
    var tree = new Tree();
    columns.forEach(tree::put);
    return tree;
  }
}
