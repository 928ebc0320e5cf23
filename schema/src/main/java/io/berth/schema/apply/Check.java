package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds what is wrong with an applied configuration, in the words of Kubernetes' merge library.
final class Check {

  private final List<String> errors = new ArrayList<>();

  private Check() {}

  /// All problems as one text, if there are any.
  static Optional<String> problems(Structure structure, Tree object) {
    var check = new Check();
    check.check(structure, object, "");
    return switch (check.errors.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(check.errors.getFirst());
      default -> Optional.of("errors:\n  " + String.join("\n  ", check.errors));
    };
  }

  private void check(Structure structure, @Nullable Object value, String path) {
    if (value == null) {
      return;
    }
    switch (Structure.resolve(structure, value)) {
      case Structure.Leaf leaf -> checkLeaf(leaf.kind(), value, path);
      case Structure.ObjectStructure object -> checkObject(object, value, path);
      case Structure.ListStructure list -> checkList(list, value, path);
      case Structure.Untyped _ -> {}
    }
  }

  private void checkLeaf(Structure.Kind kind, Object value, String path) {
    switch (kind) {
      case NUMERIC -> {
        if (!(value instanceof Number)) {
          fail(path, "expected numeric (int or float), got " + goType(value));
        }
      }
      case STRING -> {
        if (!(value instanceof String)) {
          fail(
              path,
              "expected string, got &value.valueUnstructured{Value:" + GoSyntax.of(value) + "}");
        }
      }
      case BOOLEAN -> {
        if (!(value instanceof Boolean)) {
          fail(path, "expected boolean, got " + shown(value));
        }
      }
      case ANY -> {
        if (value instanceof Tree || value instanceof List) {
          fail(path, "expected any scalar, got " + shown(value));
        }
      }
    }
  }

  private void checkObject(Structure.ObjectStructure structure, Object value, String path) {
    if (!(value instanceof Tree tree)) {
      fail(path, "expected map, got " + shown(value));
      return;
    }
    for (var entry : tree.fields().entrySet()) {
      var below = structure.at(entry.getKey());
      var belowPath = path + "." + entry.getKey();
      if (below == null) {
        // As in Kubernetes, the first such field of an object ends its check.
        fail(belowPath, "field not declared in schema");
        return;
      }
      check(below, entry.getValue(), belowPath);
    }
  }

  private void checkList(Structure.ListStructure structure, Object value, String path) {
    if (!(value instanceof List<?> list)) {
      fail(path, "expected list, got " + shown(value));
      return;
    }
    var seen = new HashSet<String>();
    for (int i = 0; i < list.size(); i++) {
      var step = "i:" + i;
      if (structure.associative()) {
        try {
          step = PathElement.element(structure, list.get(i));
        } catch (IllegalArgumentException e) {
          fail(path, "element %d: %s".formatted(i, e.getMessage()));
          return;
        }
        if (!seen.add(step)) {
          fail(path, "duplicate entries for key " + PathElement.shown(step));
        }
      }
      check(structure.element(), list.get(i), path + PathElement.shown(step));
    }
  }

  private void fail(String path, String problem) {
    errors.add(path + ": " + problem);
  }

  private static String shown(Object value) {
    return "&{" + GoSyntax.plain(value) + "}";
  }

  private static String goType(Object value) {
    return switch (value) {
      case String _ -> "string";
      case Boolean _ -> "bool";
      case Tree _ -> "map[string]interface {}";
      default -> "[]interface {}";
    };
  }
}
