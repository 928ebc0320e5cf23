package io.berth.store;

/// Where an object lives. `namespace` is empty for objects of the cluster.
///
/// `group` is the storage group: kinds served under two groups (events) share one.
public record Key(String group, String resource, String namespace, String name)
    implements Comparable<Key> {

  /// Order of listings: by namespace, then by name, as Kubernetes lists.
  @Override
  public int compareTo(Key other) {
    int order = compare(group, other.group);
    if (order == 0) {
      order = compare(resource, other.resource);
    }
    if (order == 0) {
      order = compareNamespaces(namespace, other.namespace);
    }
    return order == 0 ? name.compareTo(other.name) : order;
  }

  @Override
  public String toString() {
    var place = namespace.isEmpty() ? name : namespace + "/" + name;
    return (group.isEmpty() ? resource : resource + "." + group) + " " + place;
  }

  // Groups and resources are mostly the same instances.
  @SuppressWarnings("ReferenceEquality")
  private static int compare(String one, String other) {
    return one == other ? 0 : one.compareTo(other);
  }

  // As in Kubernetes, whose keys are paths: namespace `a-b` sorts before `a`, because `-` sorts
  // before the slash that ends `a`.
  private static int compareNamespaces(String one, String other) {
    if (one.equals(other)) {
      return 0;
    }
    int shared = Math.min(one.length(), other.length());
    for (int i = 0; i < shared; i++) {
      if (one.charAt(i) != other.charAt(i)) {
        return one.charAt(i) - other.charAt(i);
      }
    }
    return one.length() == shared ? '/' - other.charAt(shared) : one.charAt(shared) - '/';
  }
}
