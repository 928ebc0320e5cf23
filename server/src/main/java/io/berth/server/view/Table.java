package io.berth.server.view;

import io.berth.api.Tree;
import io.berth.server.registry.Page;
import io.berth.server.registry.Served;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Objects as rows: what `kubectl get` prints.
final class Table {

  private final Served served;
  private final String include;
  private final String version;
  private final Instant now;

  Table(Served served, String include, String version, Instant now) {
    this.served = served;
    this.include = include;
    this.version = version;
    this.now = now;
  }

  Tree of(Tree object) {
    var meta = Tree.of("resourceVersion", object.textOrEmpty("metadata", "resourceVersion"));
    return table(meta, columns(), List.of(row(object)));
  }

  Tree of(Page page) {
    var rows = new ArrayList<Tree>(page.entries().size());
    for (var entry : page.entries()) {
      rows.add(row(served.isCustom() ? served.present(entry.object()) : entry.object()));
    }
    return table(View.listMeta(page), columns(), rows);
  }

  /// One event of a watch; only the first names the columns.
  Tree event(Tree object, boolean first) {
    var meta = Tree.of("resourceVersion", object.textOrEmpty("metadata", "resourceVersion"));
    return table(meta, first ? columns() : null, List.of(row(object)));
  }

  Tree bookmark(Tree object, boolean first) {
    return event(object, first);
  }

  private Tree table(Tree meta, @Nullable List<Tree> columns, List<Tree> rows) {
    return Tree.of(
        "kind",
        "Table",
        "apiVersion",
        "meta.k8s.io/" + version,
        "metadata",
        meta,
        "columnDefinitions",
        columns == null ? null : new ArrayList<@Nullable Object>(columns),
        "rows",
        new ArrayList<@Nullable Object>(rows));
  }

  private List<Tree> columns() {
    var columns = new ArrayList<Tree>();
    for (var column : served.kind().strategy().columns(served.resource())) {
      columns.add(
          Tree.of(
              "name", column.name(),
              "type", column.type(),
              "format", column.format(),
              "description", "",
              "priority", column.priority()));
    }
    return columns;
  }

  private Tree row(Tree object) {
    var cells = new ArrayList<@Nullable Object>(served.kind().strategy().cells(object, now));
    var row = Tree.of("cells", cells);
    var conditions = served.kind().strategy().rowConditions(object);
    if (!conditions.isEmpty()) {
      row.put("conditions", conditions);
    }
    return switch (include) {
      case "None" -> row;
      case "Object" -> row.put("object", object);
      default -> row.put("object", View.partial(object, version));
    };
  }
}
