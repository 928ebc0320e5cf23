package io.berth.schema.apply;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// An apply that would change what others own; becomes Kubernetes' 409 with a cause per field.
final class ConflictException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient SortedMap<Manager, FieldSet> conflicts;

  ConflictException(SortedMap<Manager, FieldSet> conflicts) {
    super("apply conflict");
    this.conflicts = conflicts;
  }

  ConflictException without(FieldSet allowed) {
    var rest = new TreeMap<Manager, FieldSet>();
    conflicts.forEach((manager, fields) -> {
      var left = fields.difference(allowed);
      if (!left.isEmpty()) {
        rest.put(manager, left);
      }
    });
    return new ConflictException(rest);
  }

  boolean isEmpty() {
    return conflicts.isEmpty();
  }

  ApiException toApiException() {
    List<Tree> causes = new ArrayList<>();
    var lines = new ArrayList<String>();
    conflicts.forEach((manager, fields) -> {
      lines.add("conflicts with " + manager.shown() + ":");
      fields.forEachPath(path -> {
        lines.add("- " + path);
        causes.add(
            Tree.of(
                "reason",
                "FieldManagerConflict",
                "message",
                "conflict with " + manager.shown(),
                "field",
                path));
      });
    });
    var message =
        causes.size() == 1
            ? "Apply failed with 1 conflict: %s: %s"
                .formatted(causes.getFirst().text("message"), causes.getFirst().text("field"))
            : "Apply failed with %d conflicts: %s"
                .formatted(causes.size(), String.join("\n", lines));
    return new ApiException(409, "Conflict", message, ApiException.withCauses(new Tree(), causes));
  }
}
