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

  /// One object, and what its row is made of.
  Tree of(Tree object, Tree subject) {
    if (object.textOrEmpty("kind").equals("Scale")
        && object.textOrEmpty("apiVersion").equals("autoscaling/v1")) {
      return table(meta(object), columns(SCALE), List.of(row(object, object, scaleCells(object))));
    }
    return table(meta(object), columns(), List.of(row(object, subject)));
  }

  private static Tree meta(Tree object) {
    var revision = object.text("metadata", "resourceVersion");
    return revision == null ? new Tree() : Tree.of("resourceVersion", revision);
  }

  Tree of(Page page) {
    var rows = new ArrayList<Tree>(page.entries().size());
    var objects = served.presentAll(page.entries());
    var subjects = served.isCustom() ? objects : View.stored(page);
    for (int i = 0; i < objects.size(); i++) {
      rows.add(row(objects.get(i), subjects.get(i)));
    }
    return table(View.listMeta(page), columns(), rows);
  }

  /// Objects that are in no store.
  Tree of(List<Tree> objects) {
    return table(new Tree(), columns(), objects.stream().map(each -> row(each, each)).toList());
  }

  /// One event of a watch; only the first names the columns.
  Tree event(Tree object, Tree subject, boolean first) {
    var meta = Tree.of("resourceVersion", object.textOrEmpty("metadata", "resourceVersion"));
    return table(meta, first ? columns() : null, List.of(row(object, subject)));
  }

  /// As in Kubernetes, a table without columns of its own has no rows rather than none.
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
        rows.isEmpty() && !served.isCustom() && Columns.isPlain(served.resource())
            ? null
            : new ArrayList<@Nullable Object>(rows));
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

  private Tree row(Tree object, Tree subject) {
    return row(object, subject, served.kind().strategy().cells(subject, now));
  }

  private Tree row(Tree object, Tree subject, List<@Nullable Object> cells) {
    var row = Tree.of("cells", new ArrayList<@Nullable Object>(cells));
    var conditions = served.kind().strategy().rowConditions(subject);
    if (!conditions.isEmpty()) {
      row.put("conditions", conditions);
    }
    return row.put(
        "object",
        switch (include) {
          case "None" -> null;
          case "Object" -> object;
          default -> View.partial(served.kind().strategy().metadata(subject), version);
        });
  }
}
