package io.berth.api;

/// An object that decisions follow from, as scheduling sees it.
///
/// A pod is what is placed; everything else is its [Surrounding].
public sealed interface ClusterObject permits Pod, Surrounding {

  /// As Kubernetes names it: `Pod`, `CSINode`.
  String kind();

  /// `""` for an object of the whole cluster.
  default String namespace() {
    return "";
  }

  String name();

  default ObjectReference reference() {
    return new ObjectReference(kind(), namespace(), name());
  }
}
