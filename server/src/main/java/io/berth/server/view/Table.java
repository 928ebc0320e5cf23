package io.berth.server.view;

import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Columns;
import io.berth.server.registry.Page;
import io.berth.server.registry.Served;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Objects as rows: what `kubectl get` prints.
final class Table {

  /// What `--subresource=scale` shows of any kind.
  private static final List<Columns.Column> SCALE =
      List.of(
          new Columns.Column("Name", "string", "", 0),
          new Columns.Column("Desired", "integer", "", 0),
          new Columns.Column("Available", "integer", "", 0),
          new Columns.Column("Age", "string", "", 0));

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
    var revision = object.text("metadata", "resourceVersion");
    var meta = revision == null ? new Tree() : Tree.of("resourceVersion", revision);
    if (object.textOrEmpty("kind").equals("Scale")
        && object.textOrEmpty("apiVersion").equals("autoscaling/v1")) {
      return table(meta, columns(SCALE), List.of(row(object, scaleCells(object))));
    }
    return table(meta, columns(), List.of(row(object)));
  }

  Tree of(Page page) {
    var rows = new ArrayList<Tree>(page.entries().size());
    for (var object : served.isCustom() ? served.presentAll(page.entries()) : View.stored(page)) {
      rows.add(row(object));
    }
    return table(View.listMeta(page), columns(), rows);
  }

  /// Objects that are in no store.
  Tree of(List<Tree> objects) {
    return table(new Tree(), columns(), objects.stream().map(this::row).toList());
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

  private List<@Nullable Object> scaleCells(Tree scale) {
    return Cells.row(
        Cells.name(scale),
        scale.number(0, "spec", "replicas"),
        scale.number(0, "status", "replicas"),
        Cells.age(scale, now));
  }

  private List<Tree> columns() {
    return columns(served.kind().strategy().columns(served.resource()));
  }

  private static List<Tree> columns(List<Columns.Column> shown) {
    var columns = new ArrayList<Tree>();
    for (var column : shown) {
      columns.add(
          Tree.of(
              "name", column.name(),
              "type", column.type(),
              "format", column.format(),
              "description", column.description(),
              "priority", column.priority()));
    }
    return columns;
  }

  private Tree row(Tree object) {
    return row(object, served.kind().strategy().cells(object, now));
  }

  private Tree row(Tree object, List<@Nullable Object> cells) {
    var row = Tree.of("cells", new ArrayList<@Nullable Object>(cells));
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
