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
    return new ObjectOf(schema, schema.preserves(), metadata);
  }

  /// As in Kubernetes, what stands below a node that preserves unknown fields is owned as if it did
  /// so, too, and only pruned later.
  private static Structure of(StructuralSchema schema, boolean open) {
    boolean below = open || schema.preserves();
    return switch (schema.type()) {
      case "string" -> isPlain(schema.format()) ? STRING : Structure.ANY;
      case "integer", "number" -> NUMERIC;
      case "boolean" -> BOOLEAN;
      case "array" -> new ListOf(schema, below);
      case "object" ->
          new ObjectOf(
              schema, below, schema.isEmbedded() ? CustomResource.METADATA_STRUCTURE : null);
      default -> Structure.UNTYPED;
    };
  }

  private static boolean isPlain(String format) {
    return format.isEmpty() || format.equals("byte");
  }

  private record ObjectOf(StructuralSchema schema, boolean open, @Nullable TypeStructure metadata)
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
      return property == null ? null : of(property, open);
    }

    /// An object about whose fields nothing is said may have any.
    @Override
    public @Nullable Structure others() {
      var additional = schema.additional();
      if (additional != null) {
        return of(additional, open);
      }
      boolean any = open || schema.isOpen() || (metadata == null && schema.properties().isEmpty());
      return any ? Structure.UNTYPED : null;
    }
  }

  private record ListOf(StructuralSchema schema, boolean open) implements Structure.ListStructure {

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
      return items == null ? Structure.UNTYPED : of(items, open);
    }

    @Override
    public @Nullable Object keyDefault(String key) {
      var items = schema.items();
      var property = items == null ? null : items.property(key);
      return property == null ? null : property.defaultValue();
    }
  }
}
