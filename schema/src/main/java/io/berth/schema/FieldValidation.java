package io.berth.schema;

/// What happens to fields a type does not have, and to fields given twice.
public enum FieldValidation {
  /// Dropped without a word.
  IGNORE,
  /// Dropped with a warning; what Kubernetes does when a request does not say.
  WARN,
  /// Refused.
  STRICT
}
