package io.berth.workloads.state;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Informer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// All objects of one resource: a copy that follows the cluster, and the way to write them.
///
/// What this process has written is in the copy before the call returns, so that a client reads its
/// own writes; news that come later from the watch never put an older state back.
public final class Objects implements AutoCloseable {

  private static final int MAX_ATTEMPTS = 10;
  private static final int REMEMBERED_DELETIONS = 4096;

  private final Cluster cluster;
  private final Resource resource;
  private final String namespace;
  private final Informer informer;
  private final Map<String, Tree> cache = new ConcurrentHashMap<>();
  private final Map<String, Map<String, Tree>> index = new ConcurrentHashMap<>();
  private @Nullable Function<Tree, @Nullable String> indexedBy;
  private final List<Consumer<Tree>> listeners = new CopyOnWriteArrayList<>();
  // Guarded by this: uids whose deletion has been seen here, oldest first.
  private final Set<String> gone = Collections.newSetFromMap(bounded());

  /// `namespace` is the only one whose objects are wanted, or empty for all.
  Objects(Cluster cluster, Resource resource, String namespace) {
    this.cluster = cluster;
    this.resource = resource;
    this.namespace = namespace;
    this.informer =
        Informer.in(namespace, cluster, resource)
            .on(
                new Informer.Handler() {
                  @Override
                  public void changed(@Nullable Tree previous, Tree object) {
                    saw(object);
                  }

                  @Override
                  public void removed(Tree object) {
                    lost(object);
                  }
                });
  }

  /// Keeps an index as well: objects by what `key` says of them. Call before [#start()].
  Objects indexed(Function<Tree, @Nullable String> key) {
    indexedBy = key;
    return this;
  }

  /// The objects with this key in the index, by name.
  public List<Tree> with(String key) {
    var found = new ArrayList<>(index.getOrDefault(key, Map.of()).values());
    found.sort(Comparator.comparing(object -> object.textOrEmpty("metadata", "name")));
    return found;
  }

  public Objects start() {
    informer.start();
    return this;
  }

  public void awaitSynced() throws InterruptedException {
    informer.awaitSynced();
  }

  /// Is told of every object that changed or went, on the informer's or a writer's thread.
  public void onChange(Consumer<Tree> listener) {
    listeners.add(listener);
  }

  /// As [#onChange], until it is closed.
  public Subscription subscribe(Consumer<Tree> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /// Ends when closed.
  public interface Subscription extends AutoCloseable {

    @Override
    void close();
  }

  public Resource resource() {
    return resource;
  }

  String namespace() {
    return namespace;
  }

  /// Everything, oldest first.
  public List<Tree> all() {
    var all = new ArrayList<>(cache.values());
    all.sort(
        Comparator.comparing((Tree object) -> object.textOrEmpty("metadata", "creationTimestamp"))
            .thenComparingLong(object -> object.number(0, "spec", "id"))
            .thenComparing(object -> object.textOrEmpty("metadata", "uid")));
    return all;
  }

  public Optional<Tree> find(String namespace, String name) {
    return Optional.ofNullable(cache.get(key(namespace, name)));
  }

  public Optional<Tree> findByUid(String uid) {
    for (var object : cache.values()) {
      if (object.textOrEmpty("metadata", "uid").equals(uid)) {
        return Optional.of(object);
      }
    }
    return Optional.empty();
  }

  /// Reads everything anew, for who must not miss what was written elsewhere a moment ago.
  public void refresh() {
    var page = cluster.list(resource, namespace, Cluster.Selection.ALL);
    var listed = new HashSet<String>();
    for (var object : page.items()) {
      listed.add(object.textOrEmpty("metadata", "uid"));
      saw(object);
    }
    long revision = Long.parseLong(page.revision());
    for (var known : List.copyOf(cache.values())) {
      if (!listed.contains(known.textOrEmpty("metadata", "uid")) && revision(known) <= revision) {
        lost(known);
      }
    }
  }

  public Tree create(Tree object) {
    var whole = object.copy().put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    return saw(cluster.create(resource, whole));
  }

  /// Changes an object, again from its latest state whenever somebody else was faster.
  public Tree change(String namespace, String name, UnaryOperator<Tree> change) {
    return change(namespace, name, null, change);
  }

  public Tree changeStatus(String namespace, String name, UnaryOperator<Tree> change) {
    return change(namespace, name, "status", change);
  }

  private Tree change(
      String namespace, String name, @Nullable String subresource, UnaryOperator<Tree> change) {
    var current = find(namespace, name).orElseGet(() -> cluster.fetch(resource, namespace, name));
    for (int attempt = 1; ; attempt++) {
      var wanted = change.apply(current.copy());
      if (wanted.equals(current)) {
        return current;
      }
      try {
        return saw(cluster.update(resource, subresource, wanted));
      } catch (ApiException e) {
        if (e.code() != 409 || attempt == MAX_ATTEMPTS) {
          throw e;
        }
        current = cluster.fetch(resource, namespace, name);
      }
    }
  }

  /// Deletes this very object, and not another that has come to have its name. One that finalizers
  /// hold stays, marked. `false` when it has gone already.
  public boolean delete(Tree object) {
    return delete(
        object.textOrEmpty("metadata", "namespace"),
        object.textOrEmpty("metadata", "name"),
        DeleteOptions.of(object.textOrEmpty("metadata", "uid")));
  }

  /// Deletes what has this name.
  public boolean delete(String namespace, String name) {
    return delete(namespace, name, DeleteOptions.DEFAULT);
  }

  private boolean delete(String namespace, String name, DeleteOptions options) {
    var known =
        find(namespace, name)
            .filter(object ->
                options.uid() == null || options.uid().equals(object.text("metadata", "uid")));
    try {
      cluster.delete(resource, namespace, name, options);
    } catch (ApiException e) {
      if (e.code() != 404 && !(e.code() == 409 && isAnother(namespace, name, options.uid()))) {
        throw e;
      }
      known.ifPresent(this::lost);
      return false;
    }
    try {
      saw(cluster.fetch(resource, namespace, name));
    } catch (ApiException e) {
      if (e.code() != 404) {
        throw e;
      }
      known.ifPresent(this::lost);
    }
    return true;
  }

  /// Whether a name is somebody else's by now.
  private boolean isAnother(String namespace, String name, @Nullable String uid) {
    try {
      var object = cluster.fetch(resource, namespace, name);
      return uid != null && !uid.equals(object.text("metadata", "uid"));
    } catch (ApiException e) {
      if (e.code() != 404) {
        throw e;
      }
      return true;
    }
  }

  @Override
  public void close() {
    informer.close();
  }

  private Tree saw(Tree object) {
    synchronized (this) {
      var key = keyOf(object);
      var known = cache.get(key);
      boolean stale =
          gone.contains(object.textOrEmpty("metadata", "uid"))
              || (known != null && revision(known) >= revision(object));
      if (stale) {
        return object;
      }
      cache.put(key, object);
      var indexKey = indexedBy == null ? null : indexedBy.apply(object);
      if (indexKey != null) {
        index.computeIfAbsent(indexKey, _ -> new ConcurrentHashMap<>()).put(key, object);
      }
    }
    listeners.forEach(listener -> listener.accept(object));
    return object;
  }

  private void lost(Tree object) {
    synchronized (this) {
      var uid = object.textOrEmpty("metadata", "uid");
      gone.add(uid);
      var known = cache.get(keyOf(object));
      if (known == null || !known.textOrEmpty("metadata", "uid").equals(uid)) {
        return;
      }
      cache.remove(keyOf(object));
      var indexKey = indexedBy == null ? null : indexedBy.apply(known);
      if (indexKey != null) {
        index.computeIfPresent(
            indexKey,
            (_, group) -> {
              group.remove(keyOf(object));
              return group.isEmpty() ? null : group;
            });
      }
    }
    listeners.forEach(listener -> listener.accept(object));
  }

  private static long revision(Tree object) {
    return Long.parseLong(object.textOrEmpty("metadata", "resourceVersion"));
  }

  private static String keyOf(Tree object) {
    return key(object.textOrEmpty("metadata", "namespace"), object.textOrEmpty("metadata", "name"));
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  private static Map<String, Boolean> bounded() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
        return size() > REMEMBERED_DELETIONS;
      }
    };
  }
}
