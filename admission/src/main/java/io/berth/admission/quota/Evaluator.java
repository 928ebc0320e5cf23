package io.berth.admission.quota;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.Map;
import java.util.Optional;

/// How one resource counts against quotas.
public interface Evaluator {

  /// Whether a quota's resource name is about this resource.
  boolean counts(String name);

  /// What one object uses, by the names that quotas use.
  Map<String, Quantity> usage(Tree object);

  /// Whether a scope of a quota takes in the object.
  default boolean isIn(Scope scope, Tree object) {
    return false;
  }

  /// What the object must say for these quota names to be counted, if it does not.
  default Optional<String> missing(Iterable<String> names, Tree object) {
    return Optional.empty();
  }

  /// Whether this update can change what the object uses, or which quotas count it.
  default boolean handlesUpdate(String subresource, Tree object, Tree old) {
    return false;
  }

  /// Whether writes through this subresource are charged.
  default boolean handlesSubresource(String subresource) {
    return subresource.isEmpty();
  }
}
