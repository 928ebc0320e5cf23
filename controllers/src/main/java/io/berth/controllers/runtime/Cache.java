package io.berth.controllers.runtime;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Informer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A copy of one resource with indexes, shared by all controllers that read it.
///
/// Written by the informer's errand alone; readers on other threads see each index up to date with
/// the handlers they were called from, or newer.
public final class Cache {

  private final Informer informer;
  private final Map<Index, Map<String, Map<Key, Tree>>> indexes = new EnumMap<>(Index.class);
  private volatile long revision;

  Cache(Cluster cluster, Resource resource) {
    this.informer = new Informer(cluster, resource).on(new Indexer());
  }

  /// Declares an index; call before the cache is started.
  public Cache indexed(Index index) {
    indexes.computeIfAbsent(index, _ -> new ConcurrentHashMap<>());
    return this;
  }

  /// Hears of every change; call before the cache is started.
  public Cache on(Informer.Handler handler) {
    informer.on(handler);
    return this;
  }

  /// Hears of every object that was added, changed or removed.
  public Cache onAny(Consumer<Tree> handler) {
    return on(
        new Informer.Handler() {
          @Override
          public void changed(@Nullable Tree previous, Tree object) {
            handler.accept(object);
          }

          @Override
          public void removed(Tree object) {
            handler.accept(object);
          }
        });
  }

  public Optional<Tree> find(Key key) {
    return informer.find(key.namespace(), key.name());
  }

  public Collection<Tree> all() {
    return informer.all();
  }

  /// The objects filed under `value`; a snapshot.
  public List<Tree> by(Index index, String value) {
    var filed = indexes.get(index);
    if (filed == null) {
      throw new IllegalStateException("index " + index + " is not declared on this cache");
    }
    var objects = filed.get(value);
    return objects == null ? List.of() : List.copyOf(objects.values());
  }

  /// Every write up to this revision is in the cache and its indexes.
  public long revision() {
    return Math.max(revision, informer.listedAt());
  }

  void start() {
    informer.start();
  }

  void awaitSynced() throws InterruptedException {
    informer.awaitSynced();
  }

  void close() {
    informer.close();
  }

  private final class Indexer implements Informer.Handler {

    @Override
    public void changed(@Nullable Tree previous, Tree object) {
      indexes.forEach((index, filed) -> {
        var value = index.valueOf(object);
        var old = previous == null ? null : index.valueOf(previous);
        if (old != null && !old.equals(value)) {
          unfile(filed, old, object);
        }
        if (value != null) {
          file(filed, value, object);
        }
      });
      revision = Long.parseLong(Meta.revision(object));
    }

    @Override
    public void removed(Tree object) {
      indexes.forEach((index, filed) -> {
        var value = index.valueOf(object);
        if (value != null) {
          unfile(filed, value, object);
        }
      });
      revision = Long.parseLong(Meta.revision(object));
    }

    private static void file(Map<String, Map<Key, Tree>> filed, String value, Tree object) {
      filed.compute(
          value,
          (_, objects) -> {
            var file = objects == null ? new ConcurrentHashMap<Key, Tree>() : objects;
            file.put(Key.of(object), object);
            return file;
          });
    }

    private static void unfile(Map<String, Map<Key, Tree>> filed, String value, Tree object) {
      filed.computeIfPresent(
          value,
          (_, objects) -> {
            objects.remove(Key.of(object));
            return objects.isEmpty() ? null : objects;
          });
    }
  }
}
