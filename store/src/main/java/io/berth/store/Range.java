package io.berth.store;

/// The objects of one resource: in one namespace, or everywhere when `namespace` is empty.
public record Range(String group, String resource, String namespace) {

  public static Range of(String group, String resource) {
    return new Range(group, resource, "");
  }

  public boolean contains(Key key) {
    return key.resource().equals(resource)
        && key.group().equals(group)
        && (namespace.isEmpty() || key.namespace().equals(namespace));
  }

  /// Sorts before every key of this range, and after every key before it.
  Key start() {
    return new Key(group, resource, namespace, "");
  }

  /// Sorts behind every key of this range, and before every key behind it.
  Key end() {
    return namespace.isEmpty()
        ? new Key(group, resource, "\uffff", "")
        : new Key(group, resource, namespace, "\uffff");
  }

  /// The whole resource that this range is part of.
  Range everywhere() {
    return namespace.isEmpty() ? this : of(group, resource);
  }

  static Range of(Key key) {
    return of(key.group(), key.resource());
  }
}
