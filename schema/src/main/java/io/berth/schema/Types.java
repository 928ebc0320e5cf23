package io.berth.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The table of types: every kind Kubernetes 1.37 knows in the groups Berth cares about.
///
/// The table is a text beside this class. Loading it only finds where each type begins; a type is
/// parsed when it is first asked for, so that a start pays for the kinds it touches. Safe for use
/// by many threads.
public final class Types {

  private final Map<Kind, String> kinds = new HashMap<>();
  private final Map<String, String> blocks = new HashMap<>();
  private final Set<String> kindTypes = new HashSet<>();
  private final Map<String, Type> parsed = new ConcurrentHashMap<>();
  private final int fingerprint;

  /// A kind of an API version: `apps/v1` `Deployment`.
  public record Kind(String apiVersion, String kind) {

    // By hand, as every object is looked up by it: Java's own goes through method handles.
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Kind that
          && kind.equals(that.kind)
          && apiVersion.equals(that.apiVersion);
    }

    @Override
    public int hashCode() {
      return 31 * apiVersion.hashCode() + kind.hashCode();
    }
  }

  private Types(String table) {
    fingerprint = table.hashCode();
    int at = 0;
    while (at < table.length()) {
      int end = endOfBlock(table, at);
      if (table.startsWith("kind ", at)) {
        var words = table.substring(at, end).split(" ", -1);
        kinds.put(new Kind(words[1], words[2]), words[3]);
        kindTypes.add(words[3]);
      } else if (table.startsWith("type ", at)) {
        var head = table.substring(at + 5, table.indexOf('\n', at));
        blocks.put(head.split(" ", -1)[0], table.substring(at, end));
      }
      at = end + 1;
    }
  }

  private static int endOfBlock(String table, int from) {
    if (!table.startsWith("type ", from)) {
      return table.indexOf('\n', from);
    }
    int next = table.indexOf("\ntype ", from);
    return next < 0 ? table.length() - 1 : next;
  }

  /// The types of the Kubernetes API.
  public static Types kubernetes() {
    return Loaded.KUBERNETES;
  }

  /// The type of a kind, if the table has it.
  public Optional<Type> find(String apiVersion, String kind) {
    var name = kinds.get(new Kind(apiVersion, kind));
    return name == null ? Optional.empty() : Optional.of(type(name));
  }

  /// The type of a kind that is known to be in the table.
  public Type type(String apiVersion, String kind) {
    return find(apiVersion, kind)
        .orElseThrow(
            () -> new IllegalArgumentException("no kind " + kind + " in version " + apiVersion));
  }

  /// The type of this name, such as `core.v1.PodSpec`.
  public Type type(String name) {
    var type = parsed.get(name);
    if (type == null) {
      // Not computeIfAbsent: parsing a type asks for the types inlined into it.
      type = parse(name);
      var earlier = parsed.putIfAbsent(name, type);
      type = earlier == null ? type : earlier;
    }
    return type;
  }

  /// All kinds, in no particular order.
  public Set<Kind> kinds() {
    return Set.copyOf(kinds.keySet());
  }

  /// The names of all types, in no particular order.
  public Set<String> names() {
    return Set.copyOf(blocks.keySet());
  }

  /// Changes when the table does.
  public int fingerprint() {
    return fingerprint;
  }

  private Type parse(String name) {
    var block = blocks.get(name);
    if (block == null) {
      throw new IllegalArgumentException("no type " + name + " in the table");
    }
    var lines = block.split("\n", -1);
    List<Field.Words> fields = new ArrayList<>(lines.length);
    for (int i = 1; i < lines.length; i++) {
      fields.add(new Field.Words(lines[i].substring(1)));
    }
    return new Type(this, name, lines[0].endsWith(" atomic"), kindTypes.contains(name), fields);
  }

  /// Loads the table on first use.
  private static final class Loaded {

    static final Types KUBERNETES = new Types(read());

    private static String read() {
      try (var table = Types.class.getResourceAsStream("types.txt")) {
        return new String(
            Objects.requireNonNull(table, "types.txt").readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
