package io.berth.schema.policy;

/// The types expressions may be asked to have.
public enum Result {
  BOOL("bool"),
  STRING("string"),
  NULL("null_type"),
  /// The whole object, as far as it is to be changed.
  OBJECT("Object"),
  PATCHES("list(JSONPatch)");

  private final String type;

  Result(String type) {
    this.type = type;
  }

  /// The name messages show.
  String type() {
    return type;
  }
}
