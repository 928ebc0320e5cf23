package io.berth.kinds.custom;

import io.berth.api.FieldError;
import io.berth.api.Tree;
import io.berth.kinds.meta.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Finalizers of custom resources: what built-in kinds refuse is only warned of here.
final class Finalizers {

  private static final Set<String> STANDARD = Set.of("kubernetes", "orphan", "foregroundDeletion");

  private Finalizers() {}

  /// Warnings about the finalizers that `object` has and `old` had not.
  static List<String> warnings(Tree object, Tree old) {
    var added = new TreeSet<String>();
    object.list("metadata", "finalizers").forEach(each -> added.add(String.valueOf(each)));
    old.list("metadata", "finalizers").forEach(each -> added.remove(String.valueOf(each)));
    var warnings = new ArrayList<String>();
    for (var finalizer : added) {
      for (var complaint : Names.qualifiedName(finalizer)) {
        warnings.add(warning(finalizer, complaint));
      }
      if (!finalizer.contains("/") && !STANDARD.contains(finalizer)) {
        warnings.add(
            warning(
                finalizer,
                finalizer.contains(".")
                    ? "prefer a domain-qualified finalizer name including a path (/) to avoid"
                        + " accidental conflicts with other finalizer writers"
                    : "prefer a domain-qualified finalizer name to avoid accidental conflicts with"
                        + " other finalizer writers"));
      }
    }
    return warnings;
  }

  private static String warning(String finalizer, String complaint) {
    return "metadata.finalizers: %s: %s".formatted(FieldError.quoted(finalizer), complaint);
  }
}
