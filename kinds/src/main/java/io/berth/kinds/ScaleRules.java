package io.berth.kinds;

import io.berth.api.Tree;

/// Where a kind keeps its replica count, for the `scale` subresource.
public interface ScaleRules {

  long specReplicas(Tree object);

  /// Whether the object says how many replicas it wants.
  default boolean hasSpecReplicas(Tree object) {
    return true;
  }

  /// Where it says so.
  default String specReplicasPath() {
    return ".spec.replicas";
  }

  void setSpecReplicas(Tree object, long replicas);

  long statusReplicas(Tree object);

  /// The label selector as text (`app=web,tier in (a,b)`), or `""`.
  String selector(Tree object);
}
