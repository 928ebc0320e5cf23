package io.berth.api;

/// Names a [ClusterObject] without holding it; `namespace` is `""` for one of the whole cluster.
public record ObjectReference(String kind, String namespace, String name) {

  public static ObjectReference pod(String namespace, String name) {
    return new ObjectReference(Pod.KIND, namespace, name);
  }

  public static ObjectReference node(String name) {
    return new ObjectReference(Node.KIND, "", name);
  }

  /// What tells it from others of its kind: `namespace/name`, or the name alone.
  public String key() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
