package io.berth.schema.crd;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The types of a schema as expressions see them: objects with declared fields, lists, maps.
///
/// What has no type, such as an object that keeps anything, is not visible to expressions.
final class ExpressionTypes {

  private final Map<String, CelType> structs = new LinkedHashMap<>();

  /// The type of a value of this schema, or `null` when expressions cannot see it.
  @Nullable CelType of(StructuralSchema schema, boolean resourceRoot) {
    if (schema.isIntOrString()) {
      return SimpleType.DYN;
    }
    return switch (schema.type()) {
      case "array" -> {
        var items = schema.items();
        var element = items == null ? null : of(items, items.isEmbedded());
        yield element == null ? null : ListType.create(element);
      }
      case "object" -> object(schema, resourceRoot);
      case "string" ->
          switch (schema.format()) {
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

  private @Nullable CelType object(StructuralSchema schema, boolean resourceRoot) {
    var additional = schema.additional();
    if (additional != null) {
      var value = of(additional, additional.isEmbedded());
      return value == null ? null : MapType.create(SimpleType.STRING, value);
    }
    var fields = new LinkedHashMap<String, CelType>();
    schema
        .properties()
        .forEach((name, property) -> {
          var type = of(property, property.isEmbedded());
          if (type != null) {
            Identifiers.spellings(name).forEach(spelling -> fields.put(spelling, type));
          }
        });
    if (resourceRoot) {
      fields.put("apiVersion", SimpleType.STRING);
      fields.put("kind", SimpleType.STRING);
      fields.put(
          "metadata", struct(Map.of("name", SimpleType.STRING, "generateName", SimpleType.STRING)));
    }
    return struct(fields);
  }

  private CelType struct(Map<String, CelType> given) {
    var name = "object" + structs.size();
    var fields = ImmutableMap.copyOf(given);
    structs.put(
        name,
        StructType.create(name, fields.keySet(), field -> Optional.ofNullable(fields.get(field))));
    return StructTypeReference.create(name);
  }

  /// The objects among the types asked for so far.
  CelTypeProvider declared() {
    return new Declared(ImmutableMap.copyOf(structs));
  }

  private record Declared(ImmutableMap<String, CelType> structs) implements CelTypeProvider {

    @Override
    public ImmutableCollection<CelType> types() {
      return structs.values();
    }

    @Override
    public Optional<CelType> findType(String name) {
      return Optional.ofNullable(structs.get(name));
    }
  }
}
