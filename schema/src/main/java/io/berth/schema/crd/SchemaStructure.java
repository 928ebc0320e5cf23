package io.berth.schema.crd;

import io.berth.schema.apply.Structure;
import io.berth.schema.apply.TypeStructure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the fields of a custom resource are owned, told by its schema.
final class SchemaStructure {

  private static final Structure STRING = new Structure.Leaf(Structure.Kind.STRING);
  private static final Structure NUMERIC = new Structure.Leaf(Structure.Kind.NUMERIC);
  private static final Structure BOOLEAN = new Structure.Leaf(Structure.Kind.BOOLEAN);

  private SchemaStructure() {}

  /// The structure of a whole object, which has `apiVersion`, `kind` and `metadata` besides.
  static Structure ofRoot(StructuralSchema schema, TypeStructure metadata) {
    return new ObjectOf(schema, metadata);
  }

  private static Structure of(StructuralSchema schema, TypeStructure metadata) {
    if (schema.isIntOrString()) {
      return Structure.ANY;
    }
    return switch (schema.type()) {
      case "string" -> STRING;
      case "integer", "number" -> NUMERIC;
      case "boolean" -> BOOLEAN;
      case "array" -> new ListOf(schema, metadata);
      case "object" -> new ObjectOf(schema, schema.isEmbedded() ? metadata : null);
      default -> Structure.UNTYPED;
    };
  }

  private record ObjectOf(StructuralSchema schema, @Nullable TypeStructure metadata)
      implements Structure.ObjectStructure {

    @Override
    public boolean atomic() {
      return schema.isAtomicMap();
    }

    @Override
    public @Nullable Structure field(String name) {
      if (metadata != null) {
        switch (name) {
          case "apiVersion", "kind" -> {
            return STRING;
          }
          case "metadata" -> {
            return metadata;
          }
          default -> {}
        }
      }
      var property = schema.property(name);
      return property == null ? null : of(property, metadataOf());
    }

    @Override
    public @Nullable Structure others() {
      var additional = schema.additional();
      if (additional != null) {
        return of(additional, metadataOf());
      }
      return schema.isOpen() ? Structure.UNTYPED : null;
    }

    private TypeStructure metadataOf() {
      return CustomResource.METADATA_STRUCTURE;
    }
  }

  private record ListOf(StructuralSchema schema, TypeStructure metadata)
      implements Structure.ListStructure {

    @Override
    public boolean associative() {
      return schema.listType().equals("map") || schema.listType().equals("set");
    }

    @Override
    public List<String> keys() {
      return schema.listType().equals("map") ? schema.listMapKeys() : List.of();
    }

    @Override
    public Structure element() {
      var items = schema.items();
      return items == null ? Structure.UNTYPED : of(items, metadata);
    }

    @Override
    public @Nullable Object keyDefault(String key) {
      var items = schema.items();
      var property = items == null ? null : items.property(key);
      return property == null ? null : property.defaultValue();
    }
  }
}
