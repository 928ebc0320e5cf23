package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// `metadata.managedFields` while it is worked on: per manager, what it owns and since when.
final class ManagedFields {

  private static final int MAX_UPDATERS = 10;
  private static final String ANCIENT_CHANGES = "ancient-changes";

  private final Map<Manager, Entry> entries = new TreeMap<>();

  /// `time` is absent for a manager that never changed a value.
  record Entry(String apiVersion, FieldSet fields, @Nullable String time) {

    Entry withFields(FieldSet changed) {
      return new Entry(apiVersion, changed, time);
    }
  }

  /// Reads entries; empty when one of them is not what Kubernetes would write.
  static Optional<ManagedFields> read(List<?> given) {
    var managed = new ManagedFields();
    for (var each : given) {
      if (!(each instanceof Tree entry)
          || !(entry.textOrEmpty("operation").equals("Apply")
              || entry.textOrEmpty("operation").equals("Update"))
          || entry.textOrEmpty("apiVersion").isEmpty()
          || !entry.textOrEmpty("fieldsType").equals("FieldsV1")) {
        return Optional.empty();
      }
      var fields = FieldSet.read(entry.treeOrEmpty("fieldsV1"));
      managed.entries.put(
          Manager.of(entry),
          new Entry(entry.textOrEmpty("apiVersion"), fields, entry.text("time")));
    }
    return Optional.of(managed);
  }

  /// The entries as the object carries them, in Kubernetes' order.
  List<Tree> write() {
    var written = new ArrayList<Tree>(entries.size());
    entries.forEach((manager, entry) -> written.add(write(manager, entry)));
    written.sort(
        Comparator.comparing((Tree entry) -> entry.textOrEmpty("operation"))
            .thenComparing(entry -> entry.textOrEmpty("time"))
            .thenComparing(entry -> entry.textOrEmpty("manager"))
            .thenComparing(entry -> entry.textOrEmpty("apiVersion"))
            .thenComparing(entry -> entry.textOrEmpty("subresource")));
    return written;
  }

  private static Tree write(Manager manager, Entry entry) {
    var tree =
        Tree.of(
            "manager",
            manager.name(),
            "operation",
            manager.operation().toString(),
            "apiVersion",
            entry.apiVersion());
    if (entry.time() != null) {
      tree.put("time", entry.time());
    }
    tree.put("fieldsType", "FieldsV1").put("fieldsV1", entry.fields().write());
    if (!manager.subresource().isEmpty()) {
      tree.put("subresource", manager.subresource());
    }
    return tree;
  }

  Map<Manager, Entry> entries() {
    return entries;
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  @Nullable Entry of(Manager manager) {
    return entries.get(manager);
  }

  void put(Manager manager, Entry entry) {
    entries.put(manager, entry);
  }

  /// Takes what changed from everybody but `self`, and drops managers that are left with nothing or
  /// speak a version that is gone.
  void takeFromOthers(Manager self, Comparisons comparisons) {
    entries.replaceAll((manager, entry) -> {
      if (manager.equals(self)) {
        return entry;
      }
      var comparison = comparisons.in(entry.apiVersion());
      return entry.withFields(
          comparison == null
              ? new FieldSet()
              : entry.fields().difference(comparison.changed().union(comparison.removed())));
    });
    entries.values().removeIf(entry -> entry.fields().isEmpty());
  }

  /// Merges the oldest updaters into one when there are too many, as Kubernetes does.
  void cap() {
    var updaters = new ArrayList<Manager>();
    for (var manager : entries.keySet()) {
      if (manager.operation() == Manager.Operation.UPDATE) {
        updaters.add(manager);
      }
    }
    int excess = updaters.size() - MAX_UPDATERS;
    if (excess <= 0) {
      return;
    }
    updaters.sort(Comparator.comparing(this::timeOf).thenComparing(Comparator.naturalOrder()));
    var firstOfVersion = new TreeMap<String, Manager>();
    for (int i = 0; i < updaters.size() && excess > 0; i++) {
      var manager = updaters.get(i);
      var first = firstOfVersion.putIfAbsent(manager.apiVersion(), manager);
      if (first != null) {
        mergeIntoBucket(first, manager);
        excess--;
      }
    }
  }

  private String timeOf(Manager manager) {
    var entry = entries.get(manager);
    return entry == null || entry.time() == null ? "" : entry.time();
  }

  private void mergeIntoBucket(Manager first, Manager manager) {
    var bucket = Manager.updater(ANCIENT_CHANGES, manager.apiVersion(), "");
    var oldest = entries.remove(first);
    if (oldest != null) {
      entries.putIfAbsent(bucket, oldest);
    }
    var merged = entries.remove(manager);
    var held = entries.get(bucket);
    if (merged != null && held != null) {
      entries.put(
          bucket,
          new Entry(merged.apiVersion(), merged.fields().union(held.fields()), merged.time()));
    }
  }
}
