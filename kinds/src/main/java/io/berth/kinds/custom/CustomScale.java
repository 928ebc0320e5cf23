package io.berth.kinds.custom;

import io.berth.api.Tree;
import io.berth.kinds.ScaleRules;
import io.berth.kinds.meta.Cursor;
import io.berth.schema.patch.GoText;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where a definition says that its objects keep their replica counts.
///
/// Mirrors: apiextensions-apiserver/pkg/registry/customresource.scaleFromCustomResource
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

  void validate(Cursor object) {
    validateReplicas(object, "specReplicasPath");
    validateStatus(object);
  }

  void validateStatus(Cursor object) {
    validateReplicas(object, "statusReplicasPath");
    var selector = scale.textOrEmpty("labelSelectorPath");
    if (!selector.isEmpty()) {
      var problem = accessProblem(object.tree(), path("labelSelectorPath"), String.class, "string");
      if (!problem.isEmpty()) {
        object.at(selector).invalid("", problem);
      }
    }
  }

  private void validateReplicas(Cursor object, String field) {
    var at = object.at(scale.textOrEmpty(field));
    var problem = accessProblem(object.tree(), path(field), Long.class, "int64");
    long replicas = object.tree().number(0, path(field));
    if (!problem.isEmpty()) {
      at.invalid(0L, problem);
    } else if (replicas < 0) {
      at.invalid(replicas, "should be a non-negative integer");
    } else if (replicas > Integer.MAX_VALUE) {
      at.invalid(replicas, "should be less than or equal to " + Integer.MAX_VALUE);
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
