package io.berth.admission;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How plugins see other objects. The trees are frozen.
///
/// The server implements this twice: over the newest state for the mutating phase, and over the
/// transaction for the validating phase, so that what a plugin counts there cannot change before
/// the object is stored.
public interface Lookup {

  /// The object, or `null`. `namespace` is empty for objects of the cluster.
  @Nullable Tree find(Resource resource, String namespace, String name);

  /// The objects of a namespace, or of all namespaces when it is empty, by namespace and name.
  List<Tree> list(Resource resource, String namespace);

  /// Whether `user` may do this. The answer of the server's authorizer.
  boolean allowed(User user, Access access);

  /// Replaces an existing object together with the request: both are stored, or neither.
  ///
  /// Only for quota usage, in the validating phase of requests that are not dry runs.
  void replace(Resource resource, Tree object);

  /// An authorization question.
  record Access(
      String verb,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name) {}
}
