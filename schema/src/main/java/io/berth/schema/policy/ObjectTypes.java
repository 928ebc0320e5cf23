package io.berth.schema.policy;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import io.berth.api.Tree;
import io.berth.schema.Field;
import io.berth.schema.Type;
import io.berth.schema.Types;
import io.berth.schema.crd.Identifiers;
import io.berth.schema.policy.PolicyExpressions.Declared;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The types of whole objects, as type checking declares them to expressions.
final class ObjectTypes {

  private final StructTypes types = new StructTypes();
  private final Set<String> declared = new HashSet<>();

  private ObjectTypes() {}

  /// A kind of the type table.
  static Declared of(Type type) {
    var objects = new ObjectTypes();
    return new Declared(objects.message(type), objects.types);
  }

  /// A custom kind with this OpenAPI schema.
  static Declared of(String kind, Tree schema) {
    var objects = new ObjectTypes();
    var fields = objects.properties(schema, kind);
    objects.addMeta(fields);
    return new Declared(objects.types.declare(kind, fields), objects.types);
  }

  private void addMeta(Map<String, CelType> fields) {
    fields.put("apiVersion", SimpleType.STRING);
    fields.put("kind", SimpleType.STRING);
    fields.put("metadata", message(Types.kubernetes().type("meta.v1.ObjectMeta")));
  }

  private CelType message(Type type) {
    if (type.isUnion()) {
      return SimpleType.DYN;
    }
    // Types refer to themselves: each is declared once, and named before its fields are.
    if (declared.add(type.name())) {
      var fields = new LinkedHashMap<String, CelType>();
      for (var field : type.fields()) {
        put(fields, field.name(), shaped(field));
      }
      if (type.isKind()) {
        fields.put("apiVersion", SimpleType.STRING);
        fields.put("kind", SimpleType.STRING);
      }
      types.declare(type.name(), fields);
    }
    return StructTypeReference.create(type.name());
  }

  private CelType shaped(Field field) {
    var one = one(field);
    return switch (field.shape()) {
      case ONE -> one;
      case LIST -> ListType.create(one);
      case MAP -> MapType.create(SimpleType.STRING, one);
      case MAP_OF_LISTS -> MapType.create(SimpleType.STRING, ListType.create(one));
    };
  }

  private CelType one(Field field) {
    return switch (field.scalar()) {
      case STRING -> SimpleType.STRING;
      case BOOL -> SimpleType.BOOL;
      case INT32, INT64 -> SimpleType.INT;
      case DOUBLE -> SimpleType.DOUBLE;
      case BYTES -> SimpleType.BYTES;
      case TIME, MICRO_TIME -> SimpleType.TIMESTAMP;
      case QUANTITY, INT_OR_STRING, JSON, RAW_EXTENSION, FIELDS_V1 -> SimpleType.DYN;
      case MESSAGE -> message(field.type());
    };
  }

  private static void put(Map<String, CelType> fields, String name, @Nullable CelType type) {
    if (type != null) {
      Identifiers.spellings(name).forEach(spelling -> fields.put(spelling, type));
    }
  }

  private Map<String, CelType> properties(Tree schema, String path) {
    var fields = new LinkedHashMap<String, CelType>();
    schema
        .treeOrEmpty("properties")
        .fields()
        .forEach((name, property) -> {
          if (property instanceof Tree tree) {
            put(fields, name, of(tree, path + "." + name));
          }
        });
    return fields;
  }

  /// The type of a value, or `null` when expressions cannot see it.
  private @Nullable CelType of(Tree schema, String path) {
    if (schema.flag("x-kubernetes-int-or-string")) {
      return SimpleType.DYN;
    }
    return switch (schema.textOrEmpty("type")) {
      case "array" -> {
        var items = schema.tree("items");
        var element = items == null ? null : of(items, path + ".@idx");
        yield element == null ? null : ListType.create(element);
      }
      case "object" -> object(schema, path);
      case "string" ->
          switch (schema.textOrEmpty("format")) {
            case "byte" -> SimpleType.BYTES;
            case "duration" -> SimpleType.DURATION;
            case "date", "date-time" -> SimpleType.TIMESTAMP;
            default -> SimpleType.STRING;
          };
      case "boolean" -> SimpleType.BOOL;
      case "number" -> SimpleType.DOUBLE;
      case "integer" -> SimpleType.INT;
      default -> null;
    };
  }

  private @Nullable CelType object(Tree schema, String path) {
    var additional = schema.tree("additionalProperties");
    if (additional != null) {
      var value = of(additional, path + ".@elem");
      return value == null ? null : MapType.create(SimpleType.STRING, value);
    }
    var fields = properties(schema, path);
    if (schema.flag("x-kubernetes-embedded-resource")) {
      addMeta(fields);
    }
    return types.declare(path, fields);
  }
}
