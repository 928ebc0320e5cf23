package io.berth.server.registry;

import io.berth.api.Tree;
import io.berth.schema.FieldValidation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Options of creations, updates and patches. `manager` owns the fields that are written.
public record WriteOptions(
    boolean dryRun, String manager, FieldValidation fieldValidation, boolean force) {

  /// The options as objects carry them, of a kind such as `CreateOptions`.
  Tree tree(String kind) {
    var tree = Tree.of("kind", kind, "apiVersion", "meta.k8s.io/v1");
    if (dryRun) {
      tree.put("dryRun", new ArrayList<@Nullable Object>(List.of("All")));
    }
    if (!manager.isEmpty()) {
      tree.put("fieldManager", manager);
    }
    switch (fieldValidation) {
      case STRICT -> tree.put("fieldValidation", "Strict");
      case IGNORE -> tree.put("fieldValidation", "Ignore");
      case WARN -> {}
    }
    return tree;
  }

  /// What callers in this process use: their objects are made by code that knows the fields.
  public static WriteOptions by(String manager) {
    return new WriteOptions(false, manager, FieldValidation.IGNORE, false);
  }
}
