package io.berth.admission;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.schema.apply.Structure;
import io.berth.schema.cel.Access.Decision;
import io.berth.schema.cel.Access.Question;
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

  /// The authorizer's answer to a question of an expression about `user`, and why.
  Decision decide(User user, Question question);

  /// Every version under which the objects of a resource are served.
  List<Resource> versions(Resource resource);

  /// The resource of a kind, or `null` when no such kind is served.
  @Nullable Resource resource(String apiVersion, String kind);

  /// A stored object as `version` shows it.
  Tree shown(Resource version, Tree stored);

  /// An object in `version` as it is stored: known fields only, and with defaults. Throws
  /// [io.berth.api.ApiException] for one that is no object of the kind.
  Tree stored(Resource version, Tree shown);

  /// How the fields of an object in `version` are merged.
  Structure structure(Resource version);

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
