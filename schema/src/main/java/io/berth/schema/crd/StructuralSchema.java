package io.berth.schema.crd;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An `openAPIV3Schema`, read once: what may stand where, and what does when nothing is given.
///
/// Values of the wrong kind are passed over here; validation finds them.
public final class StructuralSchema {

  private final String type;
  private final String format;
  private final Map<String, StructuralSchema> properties = new LinkedHashMap<>();
  private final @Nullable StructuralSchema additional;
  private final @Nullable StructuralSchema items;
  private final boolean anyAdditional;
  private final boolean preserves;
  private final boolean embedded;
  private final boolean nullable;
  private final boolean intOrString;
  private final @Nullable Object defaultValue;
  private final boolean hasDefault;
  private final String listType;
  private final List<String> listMapKeys = new ArrayList<>();
  private final boolean atomicMap;
  private final List<Tree> expressions;

  private StructuralSchema(Tree schema) {
    type = schema.textOrEmpty("type");
    format = schema.textOrEmpty("format");
    schema
        .treeOrEmpty("properties")
        .fields()
        .forEach((name, property) ->
            properties.put(name, of(property instanceof Tree inner ? inner : new Tree())));
    additional = schema.get("additionalProperties") instanceof Tree inner ? of(inner) : null;
    anyAdditional = Boolean.TRUE.equals(schema.get("additionalProperties"));
    items = schema.get("items") instanceof Tree inner ? of(inner) : null;
    preserves = schema.flag("x-kubernetes-preserve-unknown-fields");
    embedded = schema.flag("x-kubernetes-embedded-resource");
    nullable = schema.flag("nullable");
    intOrString = schema.flag("x-kubernetes-int-or-string");
    hasDefault = schema.has("default");
    defaultValue = Tree.copyOf(schema.get("default"));
    listType = schema.textOrEmpty("x-kubernetes-list-type");
    for (var key : schema.list("x-kubernetes-list-map-keys")) {
      listMapKeys.add(String.valueOf(key));
    }
    expressions = schema.trees("x-kubernetes-validations");
    atomicMap = schema.textOrEmpty("x-kubernetes-map-type").equals("atomic");
  }

  public static StructuralSchema of(Tree schema) {
    return new StructuralSchema(schema);
  }

  /// Removes fields of `object` that the schema does not have; their paths are added to `unknown`.
  void prune(Tree object, String path, boolean root, List<String> unknown) {
    for (var name : List.copyOf(object.names())) {
      var below = path.isEmpty() ? name : path + "." + name;
      if ((root || embedded) && isMeta(name)) {
        continue;
      }
      var schema = at(name);
      if (schema != null) {
        schema.pruneValue(object.get(name), below, unknown);
      } else if (!preserves && !anyAdditional) {
        object.remove(name);
        unknown.add(below);
      }
    }
  }

  private static boolean isMeta(String name) {
    return name.equals("apiVersion") || name.equals("kind") || name.equals("metadata");
  }

  void pruneValue(@Nullable Object value, String path, List<String> unknown) {
    if (value instanceof Tree tree) {
      prune(tree, path, false, unknown);
    } else if (value instanceof List<?> list && items != null) {
      for (int i = 0; i < list.size(); i++) {
        items.pruneValue(list.get(i), path + "[" + i + "]", unknown);
      }
    }
  }

  /// The schema of what stands in this field, or `null` when nothing is said about it.
  @Nullable StructuralSchema at(String name) {
    var property = properties.get(name);
    return property == null ? additional : property;
  }

  /// Fills in defaults, also inside of what is there. As in Kubernetes, a `null` that may not be
  /// goes first, so that the default takes its place.
  void setDefaults(@Nullable Object value) {
    if (value instanceof Tree tree) {
      dropNulls(tree);
      properties.forEach((name, property) -> {
        if (property.hasDefault && !tree.has(name)) {
          tree.put(name, Tree.copyOf(property.defaultValue));
        }
      });
      for (var name : List.copyOf(tree.names())) {
        var schema = at(name);
        if (schema != null) {
          schema.setDefaults(tree.get(name));
        }
      }
    } else if (value instanceof List<?> list && items != null) {
      list.forEach(items::setDefaults);
    }
  }

  private void dropNulls(Tree tree) {
    for (var name : List.copyOf(tree.names())) {
      var schema = at(name);
      if (tree.get(name) == null && schema != null && !schema.nullable) {
        tree.remove(name);
      }
    }
  }

  String type() {
    return type;
  }

  String format() {
    return format;
  }

  Map<String, StructuralSchema> properties() {
    return properties;
  }

  boolean isIntOrString() {
    return intOrString;
  }

  /// Whether fields without a schema may stand here.
  boolean isOpen() {
    return preserves || anyAdditional;
  }

  /// Whether unknown fields are kept, here and, by server-side apply, below.
  boolean preserves() {
    return preserves;
  }

  boolean isEmbedded() {
    return embedded;
  }

  @Nullable StructuralSchema property(String name) {
    return properties.get(name);
  }

  @Nullable StructuralSchema additional() {
    return additional;
  }

  @Nullable StructuralSchema items() {
    return items;
  }

  String listType() {
    return listType;
  }

  List<String> listMapKeys() {
    return listMapKeys;
  }

  boolean isAtomicMap() {
    return atomicMap;
  }

  /// The `x-kubernetes-validations` of this node.
  List<Tree> expressions() {
    return expressions;
  }

  /// Whether this node or any below it has expressions to evaluate.
  boolean hasExpressions() {
    return !expressions.isEmpty()
        || properties.values().stream().anyMatch(StructuralSchema::hasExpressions)
        || (additional != null && additional.hasExpressions())
        || (items != null && items.hasExpressions());
  }

  @Nullable Object defaultValue() {
    return defaultValue;
  }
}
