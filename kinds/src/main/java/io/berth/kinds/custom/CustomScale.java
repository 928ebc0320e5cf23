package io.berth.kinds.custom;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.ScaleRules;
import io.berth.schema.patch.GoText;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where a definition says that its objects keep their replica counts.
record CustomScale(Tree scale) implements ScaleRules {

  @Override
  public long specReplicas(Tree object) {
    return object.number(0, path("specReplicasPath"));
  }

  @Override
  public boolean hasSpecReplicas(Tree object) {
    return object.at(path("specReplicasPath")) instanceof Long;
  }

  @Override
  public String specReplicasPath() {
    return scale.textOrEmpty("specReplicasPath");
  }

  @Override
  public void setSpecReplicas(Tree object, long replicas) {
    object.putAt(replicas, path("specReplicasPath"));
  }

  @Override
  public long statusReplicas(Tree object) {
    return object.number(0, path("statusReplicasPath"));
  }

  @Override
  public String selector(Tree object) {
    return scale.textOrEmpty("labelSelectorPath").isEmpty()
        ? ""
        : object.textOrEmpty(path("labelSelectorPath"));
  }

  void validate(Tree object, FieldErrors errors) {
    validateReplicas(object, "specReplicasPath", errors);
    validateStatus(object, errors);
  }

  void validateStatus(Tree object, FieldErrors errors) {
    validateReplicas(object, "statusReplicasPath", errors);
    var selector = scale.textOrEmpty("labelSelectorPath");
    if (!selector.isEmpty()) {
      var problem = accessProblem(object, path("labelSelectorPath"), String.class, "string");
      if (!problem.isEmpty()) {
        errors.invalid(FieldPath.of(selector), "", problem);
      }
    }
  }

  private void validateReplicas(Tree object, String field, FieldErrors errors) {
    var at = FieldPath.of(scale.textOrEmpty(field));
    var problem = accessProblem(object, path(field), Long.class, "int64");
    long replicas = object.number(0, path(field));
    if (!problem.isEmpty()) {
      errors.invalid(at, 0L, problem);
    } else if (replicas < 0) {
      errors.invalid(at, replicas, "should be a non-negative integer");
    } else if (replicas > Integer.MAX_VALUE) {
      errors.invalid(at, replicas, "should be less than or equal to " + Integer.MAX_VALUE);
    }
  }

  /// Why nothing of this type can be read at the path; `""` when it can, or nothing is there.
  private static String accessProblem(Tree object, String[] path, Class<?> wanted, String name) {
    Object value = object;
    for (int i = 0; i < path.length; i++) {
      if (!(value instanceof Tree tree)) {
        return value == null ? "" : accessProblem(path, i + 1, value, "map[string]interface{}");
      }
      value = tree.get(path[i]);
      if (!tree.has(path[i])) {
        return "";
      }
    }
    return wanted.isInstance(value) ? "" : accessProblem(path, path.length, value, name);
  }

  private static String accessProblem(
      String[] path, int length, @Nullable Object value, String expected) {
    var shown = "." + String.join(".", Arrays.copyOf(path, length));
    return "%s accessor error: %s is of the type %s, expected %s"
        .formatted(shown, GoText.of(value), GoText.typeOf(value), expected);
  }

  private String[] path(String field) {
    var text = Objects.requireNonNull(scale.text(field));
    return (text.startsWith(".") ? text.substring(1) : text).split("\\.", -1);
  }
}
