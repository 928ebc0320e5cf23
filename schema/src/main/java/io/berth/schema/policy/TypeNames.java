package io.berth.schema.policy;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;

/// Names of types as messages about results show them.
final class TypeNames {

  private TypeNames() {}

  static String of(CelType type) {
    return switch (type) {
      case ListType list -> "list(%s)".formatted(of(list.elemType()));
      case MapType map -> "map(%s, %s)".formatted(of(map.keyType()), of(map.valueType()));
      case OptionalType optional ->
          "optional_type(%s)".formatted(of(optional.parameters().getFirst()));
      default -> type.name();
    };
  }
}
