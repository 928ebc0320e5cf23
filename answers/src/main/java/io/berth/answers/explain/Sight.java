package io.berth.answers.explain;

import java.util.function.Predicate;

/// What somebody may see of a cluster: pods by namespace, and nodes or none of them.
public record Sight(Predicate<String> namespaces, boolean nodes) {

  /// For who may read everything.
  public static final Sight ALL = new Sight(_ -> true, true);

  /// Whether a pod, `namespace/name`, may be named.
  boolean pod(String key) {
    int slash = key.indexOf('/');
    return slash < 0 || namespaces.test(key.substring(0, slash));
  }
}
