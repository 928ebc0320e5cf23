package io.berth.workloads.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// The fields that policies of one type of workload may speak of, by path.
public final class PolicyFields {

  static final Set<String> ROLES = Set.of("worker", "master", "leader");

  private static final List<Row> ROWS = read();

  public static final PolicyFields WORKSPACE = new PolicyFields("W");
  public static final PolicyFields TRAINING = new PolicyFields("T");
  public static final PolicyFields INFERENCE = new PolicyFields("I");
  public static final PolicyFields DISTRIBUTED =
      new PolicyFields("").role("worker", "Dd").role("master", "D");
  public static final PolicyFields DISTRIBUTED_INFERENCE =
      new PolicyFields("l").role("leader", "L").role("worker", "L");

  private final Map<String, PolicyField> fields = new LinkedHashMap<>();

  private PolicyFields(String where) {
    for (var row : ROWS) {
      if (row.isIn(where)) {
        fields.put(row.field.path(), row.field);
      }
    }
  }

  private PolicyFields role(String role, String where) {
    for (var row : ROWS) {
      if (row.isIn(where)) {
        var field = row.field.inRole(role);
        fields.put(field.path(), field);
      }
    }
    return this;
  }

  Iterable<PolicyField> all() {
    return fields.values();
  }

  /// The roles that pods of this type of workload have; empty where they are all alike.
  Set<String> roles() {
    var roles = new TreeSet<String>();
    for (var path : fields.keySet()) {
      var first = path.split("\\.", 2)[0];
      if (ROLES.contains(first) && path.contains(".")) {
        roles.add(first);
      }
    }
    return roles;
  }

  boolean has(String path) {
    return fields.containsKey(path);
  }

  PolicyField get(String path) {
    return Objects.requireNonNull(fields.get(path), path);
  }

  /// Whether fields lie below this path, as `compute` has `compute.cpuCoreLimit`.
  boolean isAbove(String path) {
    return fields.keySet().stream().anyMatch(field -> field.startsWith(path + "."));
  }

  private record Row(PolicyField field, String where) {
    boolean isIn(String wanted) {
      return wanted.chars().anyMatch(letter -> where.indexOf(letter) >= 0);
    }
  }

  private static List<Row> read() {
    var rows = new ArrayList<Row>();
    for (var line : lines()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      var words = line.strip().split(" ", -1);
      if (line.startsWith(" ")) {
        rows.getLast().field.attributes().put(words[0], kind(words[1]));
        continue;
      }
      var items = words[1].startsWith("items:");
      var key = items ? words[1].substring("items:".length()) : "";
      var kind = items ? Kind.ITEMS : kind(words[1]);
      rows.add(new Row(new PolicyField(words[0], kind, key, new LinkedHashMap<>()), words[2]));
    }
    return List.copyOf(rows);
  }

  private static Kind kind(String word) {
    return Kind.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static List<String> lines() {
    try (var in = PolicyFields.class.getResourceAsStream("policy.fields")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
