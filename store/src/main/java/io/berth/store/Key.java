package io.berth.store;

/// Where an object lives. `namespace` is empty for objects of the cluster.
///
/// `group` is the storage group: kinds served under two groups (events) share one.
public record Key(String group, String resource, String namespace, String name)
    implements Comparable<Key> {

  /// Order of listings: by namespace, then by name, as Kubernetes lists.
  @Override
  public int compareTo(Key other) {
    int order = group.compareTo(other.group);
    if (order == 0) {
      order = resource.compareTo(other.resource);
    }
    if (order == 0) {
      order = namespace.compareTo(other.namespace);
    }
    return order == 0 ? name.compareTo(other.name) : order;
  }
}
