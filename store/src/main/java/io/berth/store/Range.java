package io.berth.store;

/// The objects of one resource: in one namespace, or everywhere when `namespace` is empty.
public record Range(String group, String resource, String namespace) {

  public boolean contains(Key key) {
    return key.resource().equals(resource)
        && key.group().equals(group)
        && (namespace.isEmpty() || key.namespace().equals(namespace));
  }
}
