package io.berth.testing;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A Kubernetes API in memory, simple but honest: revisions, optimistic concurrency, watches that
/// replay, graceful deletion, finalizers, the status subresource, bindings and evictions.
///
/// It neither validates nor defaults more than a controller needs to see. All state is behind one
/// lock; watchers are called inside it, in the order of revisions.
public final class FakeCluster implements Cluster {

  // Long enough for a machine that is busy otherwise: only what never happens takes this time.
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final InstantSource clock;
  private final Map<String, Map<String, Tree>> objects = new HashMap<>();
  private final List<Change> history = new ArrayList<>();
  private final List<OpenWatch> watches = new ArrayList<>();
  private final Set<String> namespaces = new HashSet<>();
  private Hook hook = (_, _, _) -> {};
  private long revision;
  private long names;

  public FakeCluster(InstantSource clock) {
    this.clock = clock;
  }

  // ---- what tests ask ------------------------------------------------------------------------

  public synchronized Optional<Tree> find(Resource resource, String namespace, String name) {
    return Optional.ofNullable(kind(resource).get(key(namespace, name)));
  }

  public List<Tree> all(Resource resource) {
    return list(resource, "", Selection.ALL).items();
  }

  /// Waits until the condition holds; it is asked again after each change. Fails after a while, so
  /// that a broken test ends.
  public synchronized void await(String what, Predicate<FakeCluster> condition) {
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.test(this)) {
      var left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError("did not happen: " + what + "\n" + dump());
      }
      try {
        wait(Math.min(left, 50));
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted while waiting for: " + what, e);
      }
    }
  }

  /// Waits until nothing has been written for a while.
  public synchronized void awaitQuiet(Duration quiet) {
    var end = System.nanoTime() + quiet.toNanos();
    var seen = revision;
    try {
      for (var left = quiet.toMillis(); left > 0; left = (end - System.nanoTime()) / 1_000_000) {
        wait(left);
        if (revision != seen) {
          seen = revision;
          end = System.nanoTime() + quiet.toNanos();
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  public synchronized long revision() {
    return revision;
  }

  /// Every change so far, oldest first: what a watch from the beginning would have seen.
  public synchronized List<Change> history() {
    return List.copyOf(history);
  }

  /// Calls the hook before every write of the code under test and of the test: it may throw what
  /// the server shall answer, or change something just before.
  public synchronized void beforeWrites(Hook hook) {
    this.hook = hook;
  }

  /// Changes an object in place, past all rules, as somebody else's write.
  public Tree edit(Resource resource, String namespace, String name, Consumer<Tree> change) {
    synchronized (this) {
      var object = fetch(resource, namespace, name).copy();
      change.accept(object);
      return store(resource, object, true);
    }
  }

  // ---- the port ------------------------------------------------------------------------------

  @Override
  public synchronized Tree fetch(Resource resource, String namespace, String name) {
    var object = kind(resource).get(key(namespace, name));
    if (object == null) {
      throw ApiException.notFound(resource, name);
    }
    return object;
  }

  @Override
  public synchronized Page list(Resource resource, String namespace, Selection selection) {
    var query = Query.of(selection);
    var items = new ArrayList<Tree>();
    for (var object : kind(resource).values()) {
      if ((namespace.isEmpty() || namespace.equals(object.text("metadata", "namespace")))
          && query.matches(object)) {
        items.add(object);
      }
    }
    return new Page(Long.toString(revision), items);
  }

  @Override
  public synchronized Watch watch(
      Resource resource,
      String namespace,
      Selection selection,
      String afterRevision,
      Watcher watcher) {
    var open = new OpenWatch(name(resource), namespace, Query.of(selection), watcher);
    var after = Long.parseLong(afterRevision);
    for (var change : history) {
      if (change.revision > after) {
        open.see(change);
      }
    }
    watches.add(open);
    return () -> {
      synchronized (this) {
        watches.remove(open);
      }
    };
  }

  @Override
  public synchronized Tree create(Resource resource, Tree object) {
    hook.called("create", resource, object.textOrEmpty("metadata", "name"));
    var created = object.copy();
    var metadata = created.child("metadata");
    if (metadata.textOrEmpty("name").isEmpty()) {
      metadata.put("name", metadata.textOrEmpty("generateName") + suffix());
    }
    var namespace = metadata.textOrEmpty("namespace");
    checkNamespace(namespace);
    if (kind(resource).containsKey(key(namespace, metadata.textOrEmpty("name")))) {
      throw ApiException.alreadyExists(resource, metadata.textOrEmpty("name"));
    }
    created.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    metadata
        .put("uid", "uid-%d".formatted(++names))
        .put("creationTimestamp", now())
        .put("generation", 1);
    if (resource.equals(Resource.PODS)) {
      created.child("status").putIfAbsent("phase", "Pending");
      created.child("spec").putIfAbsent("terminationGracePeriodSeconds", 30);
    }
    if (resource.equals(Resource.NAMESPACES)) {
      created.put("spec", Tree.of("finalizers", List.of("kubernetes")));
      created.put("status", Tree.of("phase", "Active"));
      namespaces.add(metadata.textOrEmpty("name"));
    }
    return store(resource, created, false);
  }

  /// Nothing is created in a namespace that ends; one that was never created is taken for granted.
  private void checkNamespace(String namespace) {
    if (!namespaces.contains(namespace)) {
      return;
    }
    if (fetch(Resource.NAMESPACES, "", namespace).text("metadata", "deletionTimestamp") != null) {
      var message = "because namespace %s is being terminated".formatted(namespace);
      throw new ApiException(
          403,
          "Forbidden",
          message,
          ApiException.withCauses(
              new Tree(), List.of(Tree.of("reason", "NamespaceTerminating", "message", message))));
    }
  }

  @Override
  public synchronized Tree update(Resource resource, @Nullable String subresource, Tree object) {
    hook.called("update", resource, object.textOrEmpty("metadata", "name"));
    var namespace = object.textOrEmpty("metadata", "namespace");
    var current = fetch(resource, namespace, object.textOrEmpty("metadata", "name"));
    var wanted = object.textOrEmpty("metadata", "resourceVersion");
    if (!wanted.isEmpty()
        && !wanted.equals("0")
        && !wanted.equals(current.text("metadata", "resourceVersion"))) {
      throw ApiException.conflict(
          resource,
          object.textOrEmpty("metadata", "name"),
          "the object has been modified; please apply your changes to the latest version and try"
              + " again");
    }
    return write(resource, subresource, current, object.copy());
  }

  @Override
  public synchronized Tree patch(
      Resource resource,
      String namespace,
      String name,
      @Nullable String subresource,
      PatchType type,
      Object patch) {
    hook.called("patch", resource, name);
    if (!(patch instanceof Tree merge) || type == PatchType.JSON || type == PatchType.APPLY) {
      throw new UnsupportedOperationException("the fake cluster patches by merge only");
    }
    var current = fetch(resource, namespace, name);
    var merged = MergePatch.apply(current, merge, type == PatchType.STRATEGIC);
    if (!merged.textOrEmpty("metadata", "uid").equals(current.text("metadata", "uid"))) {
      throw new ApiException(422, "Invalid", "metadata.uid: field is immutable");
    }
    if (!merged
        .textOrEmpty("metadata", "resourceVersion")
        .equals(current.text("metadata", "resourceVersion"))) {
      throw ApiException.conflict(resource, name, "the object has been modified");
    }
    return write(resource, subresource, current, merged);
  }

  @Override
  public synchronized void delete(
      Resource resource, String namespace, String name, DeleteOptions options) {
    hook.called("delete", resource, name);
    var current = fetch(resource, namespace, name);
    if (options.uid() != null && !options.uid().equals(current.text("metadata", "uid"))) {
      throw ApiException.conflict(resource, name, "the UID in the precondition does not match");
    }
    var deleting = current.copy();
    var metadata = deleting.child("metadata");
    var finalizers = new ArrayList<@Nullable Object>(metadata.list("finalizers"));
    if ("Foreground".equals(options.policy()) && !finalizers.contains("foregroundDeletion")) {
      finalizers.add("foregroundDeletion");
    }
    if ("Orphan".equals(options.policy()) && !finalizers.contains("orphan")) {
      finalizers.add("orphan");
    }
    var grace = grace(resource, current, options.graceSeconds());
    var namespaceStays =
        resource.equals(Resource.NAMESPACES) && !current.list("spec", "finalizers").isEmpty();
    if (finalizers.isEmpty() && grace == 0 && !namespaceStays) {
      remove(resource, current);
      return;
    }
    if (!finalizers.isEmpty()) {
      metadata.put("finalizers", finalizers);
    }
    var earlier = metadata.number(Long.MAX_VALUE, "deletionGracePeriodSeconds");
    if (grace < earlier) {
      metadata
          .put(
              "deletionTimestamp",
              clock.instant().plusSeconds(grace).truncatedTo(ChronoUnit.SECONDS).toString())
          .put("deletionGracePeriodSeconds", grace)
          .put("generation", metadata.number(1, "generation") + 1);
    }
    if (namespaceStays) {
      deleting.child("status").put("phase", "Terminating");
    }
    if (!deleting.equals(current)) {
      store(resource, deleting, true);
    }
  }

  @Override
  public synchronized Tree post(
      Resource resource, String namespace, String name, String subresource, Tree body) {
    var pod = fetch(resource, namespace, name).copy();
    switch (subresource) {
      case "binding" -> {
        if (!pod.textOrEmpty("spec", "nodeName").isEmpty()) {
          throw ApiException.conflict(resource, name, "pod is already assigned to a node");
        }
        pod.child("spec").put("nodeName", body.textOrEmpty("target", "name"));
        var conditions = pod.child("status").childList("conditions");
        conditions.removeIf(known ->
            known instanceof Tree condition
                && condition.textOrEmpty("type").equals("PodScheduled"));
        conditions.add(
            Tree.of("type", "PodScheduled", "status", "True", "lastTransitionTime", now()));
        store(resource, pod, true);
      }
      case "eviction" -> delete(resource, namespace, name, DeleteOptions.DEFAULT);
      default -> throw new UnsupportedOperationException("pods/" + subresource);
    }
    return Tree.of("kind", "Status", "apiVersion", "v1", "status", "Success");
  }

  // ---- below ---------------------------------------------------------------------------------

  private Tree write(Resource resource, @Nullable String subresource, Tree current, Tree wanted) {
    var next = subresource == null ? wanted : current.copy();
    if (subresource == null) {
      restore(next, current, "status");
      if (resource.equals(Resource.PODS)) {
        next.child("spec").put("nodeName", current.at("spec", "nodeName"));
      }
      var annotated =
          !next.treeOrEmpty("metadata", "annotations")
              .equals(current.treeOrEmpty("metadata", "annotations"));
      if (!Objects.equals(next.get("spec"), current.get("spec"))
          || (annotated && resource.equals(Resource.DEPLOYMENTS))) {
        next.child("metadata").put("generation", current.number(1, "metadata", "generation") + 1);
      }
    } else if (subresource.equals("status")) {
      restore(next, wanted, "status");
      if (!resource.equals(Resource.PODS)) {
        var annotations = wanted.tree("metadata", "annotations");
        if (annotations != null) {
          next.child("metadata").put("annotations", annotations.copy());
        }
      }
    } else if (subresource.equals("finalize")) {
      restore(next, wanted, "spec");
    } else {
      throw new UnsupportedOperationException("subresource " + subresource);
    }
    for (var field : List.of("uid", "creationTimestamp", "deletionTimestamp", "resourceVersion")) {
      restore(next.child("metadata"), current.treeOrEmpty("metadata"), field);
    }
    if (next.equals(current)) {
      return current;
    }
    return store(resource, next, true);
  }

  private static void restore(Tree target, Tree from, String field) {
    if (from.has(field)) {
      target.put(field, Tree.copyOf(from.get(field)));
    } else {
      target.remove(field);
    }
  }

  private Tree store(Resource resource, Tree object, boolean exists) {
    var key =
        key(object.textOrEmpty("metadata", "namespace"), object.textOrEmpty("metadata", "name"));
    object.child("metadata").put("resourceVersion", Long.toString(++revision));
    object.freeze();
    var previous = kind(resource).put(key, object);
    publish(
        new Change(
            revision, name(resource), exists ? Kind.MODIFIED : Kind.ADDED, object, previous));
    if (finished(resource, object)) {
      remove(resource, object);
    }
    return object;
  }

  /// Marked for deletion, and nothing holds it any more.
  private static boolean finished(Resource resource, Tree object) {
    if (object.text("metadata", "deletionTimestamp") == null
        || !object.list("metadata", "finalizers").isEmpty()) {
      return false;
    }
    if (resource.equals(Resource.NAMESPACES)) {
      return object.list("spec", "finalizers").isEmpty();
    }
    return object.number(0, "metadata", "deletionGracePeriodSeconds") == 0;
  }

  private void remove(Resource resource, Tree object) {
    var gone = object.copy();
    gone.child("metadata").put("resourceVersion", Long.toString(++revision));
    gone.freeze();
    var previous =
        kind(resource)
            .remove(
                key(
                    gone.textOrEmpty("metadata", "namespace"),
                    gone.textOrEmpty("metadata", "name")));
    publish(new Change(revision, name(resource), Kind.DELETED, gone, previous));
  }

  private void publish(Change change) {
    history.add(change);
    for (var watch : List.copyOf(watches)) {
      watch.see(change);
    }
    notifyAll();
  }

  private static long grace(Resource resource, Tree object, long asked) {
    if (!resource.equals(Resource.PODS)) {
      return 0;
    }
    if (object.textOrEmpty("spec", "nodeName").isEmpty() || PodPhase.isTerminal(object)) {
      return 0;
    }
    return asked >= 0 ? asked : object.number(30, "spec", "terminationGracePeriodSeconds");
  }

  private Map<String, Tree> kind(Resource resource) {
    return objects.computeIfAbsent(name(resource), _ -> new TreeMap<>());
  }

  private static String name(Resource resource) {
    return resource.qualified();
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  private String suffix() {
    return "x%04d".formatted(++names);
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private String dump() {
    var text = new StringBuilder();
    objects.forEach((kind, all) ->
        all.values().forEach(o -> text.append(kind).append(' ').append(o).append('\n')));
    return text.toString();
  }

  /// Hears of a write before it happens.
  @FunctionalInterface
  public interface Hook {

    void called(String verb, Resource resource, String name);
  }

  /// What happened to an object.
  public enum Kind {
    ADDED,
    MODIFIED,
    DELETED
  }

  /// One entry of the history. `resource` is the qualified name, such as `deployments.apps`.
  public record Change(
      long revision, String resource, Kind kind, Tree object, @Nullable Tree previous) {}

  private record OpenWatch(String resource, String namespace, Query query, Watcher watcher) {

    void see(Change change) {
      if (!change.resource.equals(resource)
          || !(namespace.isEmpty()
              || namespace.equals(change.object.text("metadata", "namespace")))) {
        return;
      }
      var was = change.previous != null && query.matches(change.previous);
      var is = change.kind != Kind.DELETED && query.matches(change.object);
      if (is && was) {
        watcher.modified(change.object);
      } else if (is) {
        watcher.added(change.object);
      } else if (was) {
        watcher.deleted(change.object);
      }
    }
  }
}
