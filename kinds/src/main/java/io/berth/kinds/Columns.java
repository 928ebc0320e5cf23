package io.berth.kinds;

import io.berth.api.Resource;
import io.berth.codec.TextResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The columns of server-side tables, by group version and resource.
public final class Columns {

  /// What a kind without columns of its own shows.
  private static final List<Column> PLAIN =
      List.of(new Column("Name", "string", "name", 0), new Column("Created At", "date", "", 0));

  private static final Map<String, List<Column>> ALL = read();

  /// `priority` 1 appears with `-o wide` only.
  public record Column(String name, String type, String format, int priority, String description) {

    public Column(String name, String type, String format, int priority) {
      this(name, type, format, priority, "");
    }
  }

  private Columns() {}

  public static List<Column> of(Resource resource) {
    return ALL.getOrDefault(resource.apiVersion() + "/" + resource.plural(), PLAIN);
  }

  /// Whether the resource has no columns of its own.
  public static boolean isPlain(Resource resource) {
    return of(resource).equals(PLAIN);
  }

  private static Map<String, List<Column>> read() {
    var all = new HashMap<String, List<Column>>();
    TextResource.lines(Columns.class, "columns.txt").forEach(line -> addTo(all, line));
    return Map.copyOf(all);
  }

  private static void addTo(Map<String, List<Column>> all, String line) {
    int equals = line.indexOf('=');
    var columns = new ArrayList<Column>();
    for (var column : line.substring(equals + 1).split("\\|", -1)) {
      var parts = column.split(":", -1);
      columns.add(new Column(parts[0], parts[1], parts[2], Integer.parseInt(parts[3])));
    }
    all.put(line.substring(0, equals), List.copyOf(columns));
  }
}
