package io.berth.kinds;

/// What a kind only has or has not, as [Kinds] lists it.
public enum Trait {
  /// PUT to a name that does not exist creates the object.
  CREATE_ON_UPDATE,
  /// PUT without a resourceVersion is refused; elsewhere it overwrites whatever is there.
  CONDITIONAL_UPDATE,
  /// DELETE answers with the object instead of a `Status`.
  DELETE_RETURNS_OBJECT,
  /// Dependents outlive the object unless the caller says otherwise.
  ORPHANS_DEPENDENTS,
  /// A new object has an empty `status`, and only the subresource changes it.
  STATUS,
  /// `metadata.generation` begins with 1 and counts changes of `spec`.
  GENERATION
}
