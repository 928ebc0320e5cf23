package io.berth.controllers.runtime;

import io.berth.api.Tree;

/// Namespace and name of an object; the namespace is empty for resources of the cluster.
public record Key(String namespace, String name) {

  public static Key of(Tree object) {
    return new Key(Meta.namespace(object), Meta.name(object));
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
