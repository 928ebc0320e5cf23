package io.berth.cluster;

import io.berth.api.Crew;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A Kubernetes API. Calls block; refusals are [io.berth.api.ApiException]s.
///
/// Trees handed out are frozen; trees handed in may be either and are not changed. `namespace` is
/// empty for resources of the cluster, and for "all namespaces" in lists and watches.
public interface Cluster {

  Tree fetch(Resource resource, String namespace, String name);

  Page list(Resource resource, String namespace, Selection selection);

  /// Changes after `afterRevision`, in order, on a thread of the adapter. A watch that the server
  /// ends calls [Watcher#ended]; the caller starts another one (or uses an [Informer]).
  Watch watch(
      Resource resource,
      String namespace,
      Selection selection,
      String afterRevision,
      Watcher watcher);

  Tree create(Resource resource, Tree object);

  /// PUT of the whole object, or of a subresource such as `status`, `scale`, `finalize`.
  Tree update(Resource resource, @Nullable String subresource, Tree object);

  Tree patch(
      Resource resource,
      String namespace,
      String name,
      @Nullable String subresource,
      PatchType type,
      Object patch);

  void delete(Resource resource, String namespace, String name, DeleteOptions options);

  /// POST to a subresource that acts: `binding`, `eviction`, `token`.
  Tree post(Resource resource, String namespace, String name, String subresource, Tree body);

  /// [#create] for those who do not look at the answer.
  default void send(Resource resource, Tree object) {
    create(resource, object);
  }

  /// [#post] for those who do not look at the answer.
  default void send(
      Resource resource, String namespace, String name, String subresource, Tree body) {
    post(resource, namespace, name, subresource, body);
  }

  /// The built-in resources of this API, each kind once and in its preferred version; empty when
  /// the adapter cannot tell.
  default List<Resource> builtIn() {
    return List.of();
  }

  /// Whose hands the work of its clients is in: informers, controllers, binds.
  default Crew crew() {
    return Crew.THREADS;
  }

  /// Which part of a resource; empty texts select everything.
  record Selection(String labelSelector, String fieldSelector) {

    public static final Selection ALL = new Selection("", "");

    public static Selection fields(String fieldSelector) {
      return new Selection("", fieldSelector);
    }

    public static Selection labels(String labelSelector) {
      return new Selection(labelSelector, "");
    }
  }

  /// A list and the revision at which it was true.
  record Page(String revision, List<Tree> items) {}

  enum PatchType {
    JSON,
    MERGE,
    STRATEGIC,
    APPLY
  }

  /// `graceSeconds` below zero leaves it to the object; `uid` and `policy` are optional.
  record DeleteOptions(long graceSeconds, @Nullable String uid, @Nullable String policy) {

    public static final DeleteOptions DEFAULT = new DeleteOptions(-1, null, null);

    /// Only the very object, not another one of its name.
    public static DeleteOptions of(String uid) {
      return new DeleteOptions(-1, uid, null);
    }

    public static DeleteOptions background(String uid) {
      return new DeleteOptions(-1, uid, "Background");
    }

    public static DeleteOptions now(String uid) {
      return new DeleteOptions(0, uid, null);
    }
  }

  /// Receives what a watch sees. Must return at once.
  interface Watcher {

    void added(Tree object);

    void modified(Tree object);

    void deleted(Tree object);

    /// Nothing before this revision is missing.
    default void bookmark(String revision) {}

    /// The watch is over; `expired` says that its revision is too old to go on from.
    void ended(boolean expired);
  }

  /// Ends when closed; [Watcher#ended] is not called then.
  interface Watch extends AutoCloseable {

    @Override
    void close();
  }
}
