package io.berth.schema.apply;

import io.berth.schema.Field;
import io.berth.schema.Scalar;
import io.berth.schema.Shape;
import io.berth.schema.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The structure of a type of the table.
public final class TypeStructure implements Structure.ObjectStructure {

  private static final Structure STRING = new Structure.Leaf(Structure.Kind.STRING);
  private static final Structure NUMERIC = new Structure.Leaf(Structure.Kind.NUMERIC);
  private static final Structure BOOLEAN = new Structure.Leaf(Structure.Kind.BOOLEAN);

  // Bounded by the table.
  private static final Map<Type, TypeStructure> KNOWN = new ConcurrentHashMap<>();

  private final Type type;
  private final boolean atomic;
  private final @Nullable Structure[] fields;

  private TypeStructure(Type type, boolean atomic) {
    this.type = type;
    this.atomic = atomic;
    this.fields = new @Nullable Structure[type.fields().size()];
  }

  public static TypeStructure of(Type type) {
    var known = KNOWN.get(type);
    return known == null
        ? KNOWN.computeIfAbsent(type, each -> new TypeStructure(each, each.atomic()))
        : known;
  }

  @Override
  public boolean atomic() {
    return atomic;
  }

  @Override
  public @Nullable Structure field(String name) {
    var field = type.field(name);
    if (field == null) {
      return type.isKind() && (name.equals("kind") || name.equals("apiVersion")) ? STRING : null;
    }
    // Two threads may make the same structure; either will do.
    var structure = fields[field.index()];
    if (structure == null) {
      structure = of(field);
      fields[field.index()] = structure;
    }
    return structure;
  }

  @Override
  public @Nullable Structure others() {
    return null;
  }

  private static Structure of(Field field) {
    return switch (field.shape()) {
      case ONE -> element(field);
      case LIST -> new ListOf(field, element(field));
      case MAP -> new MapOf(element(field), field.atomicMap());
      case MAP_OF_LISTS -> new MapOf(new WholeList(element(field)), field.atomicMap());
    };
  }

  private static Structure element(Field field) {
    return switch (field.scalar()) {
      case STRING, BYTES -> STRING;
      case BOOL -> BOOLEAN;
      case INT32, INT64, DOUBLE -> NUMERIC;
      case QUANTITY, TIME, MICRO_TIME -> Structure.ANY;
      // As in Kubernetes, whose published schema of ports and percentages names no type.
      case INT_OR_STRING, JSON, FIELDS_V1 -> Structure.UNTYPED;
      case RAW_EXTENSION -> Structure.WHOLE;
      case MESSAGE -> message(field);
    };
  }

  private static Structure message(Field field) {
    if (field.type().isUnion()) {
      return Structure.UNTYPED;
    }
    return field.shape() == Shape.ONE && field.atomicMap()
        ? new TypeStructure(field.type(), true)
        : of(field.type());
  }

  /// A map from text to values of one structure.
  private record MapOf(Structure others, boolean atomic) implements Structure.ObjectStructure {

    @Override
    public @Nullable Structure field(String name) {
      return null;
    }
  }

  /// A list field.
  private record ListOf(Field field, Structure element) implements Structure.ListStructure {

    @Override
    public boolean associative() {
      return field.listType().equals("map") || field.listType().equals("set");
    }

    @Override
    public List<String> keys() {
      return field.listMapKeys();
    }

    @Override
    public @Nullable Object keyDefault(String key) {
      var keyField = field.scalar() == Scalar.MESSAGE ? field.type().field(key) : null;
      if (keyField == null || keyField.defaultValue() != null) {
        return keyField == null ? null : keyField.defaultValue();
      }
      if (!keyField.kept() || keyField.pointer()) {
        return null;
      }
      return switch (keyField.scalar()) {
        case STRING -> "";
        case INT32, INT64 -> (Object) 0L;
        default -> null;
      };
    }
  }
}
