package io.berth.schema;

/// How often a field holds its value.
public enum Shape {
  ONE,
  LIST,
  MAP,
  /// A map from text to lists, as the `extra` of a user.
  MAP_OF_LISTS
}
