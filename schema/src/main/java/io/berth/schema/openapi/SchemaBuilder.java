package io.berth.schema.openapi;

import io.berth.api.Tree;
import io.berth.schema.Field;
import io.berth.schema.Scalar;
import io.berth.schema.Shape;
import io.berth.schema.Type;
import io.berth.schema.Types;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Builds the schemas of types, and of every type they refer to.
final class SchemaBuilder {

  private static final String REF = "#/components/schemas/";

  private final Types types;
  private final Descriptions descriptions = Descriptions.load();
  private final Map<String, List<Types.Kind>> kindsOfType = new HashMap<>();
  private final Map<String, Tree> schemas = new TreeMap<>();
  private final Deque<Type> pending = new ArrayDeque<>();

  SchemaBuilder(Types types) {
    this.types = types;
    types
        .kinds()
        .forEach(kind ->
            kindsOfType
                .computeIfAbsent(
                    types.type(kind.apiVersion(), kind.kind()).name(), _ -> new ArrayList<>())
                .add(kind));
  }

  /// The name of a kind's schema, which is added with all it refers to.
  String add(String apiVersion, String kind) {
    return reference(types.type(apiVersion, kind));
  }

  /// The name of a type's schema, which is added with all it refers to.
  String addType(String name) {
    return reference(types.type(name));
  }

  boolean knows(String apiVersion, String kind) {
    return types.find(apiVersion, kind).isPresent();
  }

  /// Adds a schema made elsewhere.
  void put(String name, Tree schema) {
    schemas.put(name, schema);
  }

  /// All schemas added so far, by name.
  Map<String, Tree> build() {
    while (!pending.isEmpty()) {
      var type = pending.remove();
      schemas.put(SchemaNames.of(type), type.isUnion() ? described(type.name()) : schema(type));
    }
    return schemas;
  }

  static Tree ref(String name) {
    return Tree.of("$ref", REF + name);
  }

  private String reference(Type type) {
    var name = SchemaNames.of(type);
    if (!schemas.containsKey(name)) {
      schemas.put(name, new Tree());
      pending.add(type);
    }
    return name;
  }

  private Tree schema(Type type) {
    var schema = described(type.name()).put("type", "object");
    var properties = new Tree();
    var required = new ArrayList<@Nullable Object>();
    if (type.isKind()) {
      properties.put("apiVersion", typeMeta("apiVersion"));
      properties.put("kind", typeMeta("kind"));
    }
    for (var field : type.fields()) {
      properties.put(field.name(), property(field));
      if (field.required()) {
        required.add(field.name());
      }
    }
    if (!properties.isEmpty()) {
      schema.put("properties", properties);
    }
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    addExtensions(schema, type);
    return schema;
  }

  /// `apiVersion` or `kind`, which every kind has.
  Tree typeMeta(String name) {
    return described("TypeMeta." + name).put("type", "string");
  }

  /// A schema that only says what its subject is for.
  Tree described(String subject) {
    var text = descriptions.of(subject);
    return text.isEmpty() ? new Tree() : Tree.of("description", text);
  }

  private void addExtensions(Tree schema, Type type) {
    if (type.atomic()) {
      schema.put("x-kubernetes-map-type", "atomic");
    }
    var kinds = kindsOfType.get(type.name());
    if (kinds != null) {
      var list = new ArrayList<@Nullable Object>();
      kinds.stream()
          .sorted(Comparator.comparing(Types.Kind::apiVersion))
          .forEach(kind -> list.add(groupVersionKind(kind.apiVersion(), kind.kind())));
      schema.put("x-kubernetes-group-version-kind", list);
    }
  }

  static Tree groupVersionKind(String apiVersion, String kind) {
    int slash = apiVersion.indexOf('/');
    return Tree.of(
        "group",
        slash < 0 ? "" : apiVersion.substring(0, slash),
        "version",
        apiVersion.substring(slash + 1),
        "kind",
        kind);
  }

  private Tree property(Field field) {
    var property = described(field.owner().name() + "." + field.name());
    switch (field.shape()) {
      case ONE -> value(field, true).fields().forEach(property::put);
      case LIST -> property.put("type", "array").put("items", value(field, false));
      case MAP -> property.put("type", "object").put("additionalProperties", value(field, false));
      case MAP_OF_LISTS ->
          property
              .put("type", "object")
              .put("additionalProperties", Tree.of("type", "array", "items", value(field, false)));
    }
    if (field.shape() == Shape.ONE && field.defaultValue() != null) {
      property.put("default", field.defaultValue());
    } else if (field.shape() == Shape.ONE
        && !field.pointer()
        && (field.kept() || field.scalar() == Scalar.MESSAGE)) {
      addZero(field, property);
    }
    addFieldExtensions(field, property);
    return property;
  }

  private static void addZero(Field field, Tree property) {
    switch (field.scalar()) {
      case STRING -> property.put("default", "");
      case BOOL -> property.put("default", false);
      case INT32, INT64 -> property.put("default", 0L);
      case MESSAGE -> property.put("default", new Tree());
      default -> {}
    }
  }

  private static void addFieldExtensions(Field field, Tree property) {
    if (!field.enumeration().isEmpty() && field.shape() == Shape.ONE) {
      property.put("enum", new ArrayList<>(field.enumeration()));
    }
    if (!field.listType().isEmpty()) {
      property.put("x-kubernetes-list-type", field.listType());
    }
    if (!field.listMapKeys().isEmpty()) {
      property.put("x-kubernetes-list-map-keys", new ArrayList<>(field.listMapKeys()));
    }
    if (field.atomicMap()) {
      property.put("x-kubernetes-map-type", "atomic");
    }
    if (!field.patchMergeKey().isEmpty()) {
      property.put("x-kubernetes-patch-merge-key", field.patchMergeKey());
    }
    if (!field.patchStrategies().isEmpty()) {
      property.put("x-kubernetes-patch-strategy", strategies(field.patchStrategies()));
    }
  }

  private static String strategies(Set<String> strategies) {
    return String.join(",", strategies.stream().sorted().toList());
  }

  /// What stands in the field; a reference beside other words must be wrapped.
  private Tree value(Field field, boolean besideOthers) {
    var name = referenceOf(field);
    if (name != null) {
      return besideOthers ? Tree.of("allOf", List.of(ref(name))) : ref(name);
    }
    return switch (field.scalar()) {
      case BOOL -> Tree.of("type", "boolean");
      case INT32 -> Tree.of("type", "integer", "format", "int32");
      case INT64 -> Tree.of("type", "integer", "format", "int64");
      case DOUBLE -> Tree.of("type", "number", "format", "double");
      case BYTES -> Tree.of("type", "string", "format", "byte");
      default -> Tree.of("type", "string");
    };
  }

  private @Nullable String referenceOf(Field field) {
    return switch (field.scalar()) {
      case MESSAGE -> reference(field.type());
      case QUANTITY -> known(SchemaNames.QUANTITY, oneOf("string", "number"));
      case INT_OR_STRING ->
          known(
              SchemaNames.INT_OR_STRING, oneOf("integer", "string").put("format", "int-or-string"));
      case TIME -> known(SchemaNames.TIME, Tree.of("type", "string", "format", "date-time"));
      case MICRO_TIME ->
          known(SchemaNames.MICRO_TIME, Tree.of("type", "string", "format", "date-time"));
      case JSON -> known(SchemaNames.JSON, new Tree());
      case RAW_EXTENSION -> known(SchemaNames.RAW_EXTENSION, Tree.of("type", "object"));
      case FIELDS_V1 -> known(SchemaNames.FIELDS, Tree.of("type", "object"));
      case STRING, BOOL, INT32, INT64, DOUBLE, BYTES -> null;
    };
  }

  String known(String name, Tree schema) {
    schemas.putIfAbsent(name, schema);
    return name;
  }

  private static Tree oneOf(String first, String second) {
    return Tree.of("oneOf", List.of(Tree.of("type", first), Tree.of("type", second)));
  }
}
