package io.berth.controllers.runtime;

import io.berth.api.Resource;
import io.berth.cluster.Cluster;
import java.util.LinkedHashMap;
import java.util.Map;

/// One [Cache] per resource, however many controllers read it.
///
/// Caches are asked for while controllers are built, by one thread; then all are started.
public final class Informers implements AutoCloseable {

  private final Cluster cluster;
  private final Map<Resource, Cache> caches = new LinkedHashMap<>();

  public Informers(Cluster cluster) {
    this.cluster = cluster;
  }

  public Cache of(Resource resource) {
    return caches.computeIfAbsent(resource, r -> new Cache(cluster, r));
  }

  /// Starts all caches and waits until each has its first list.
  public void start() throws InterruptedException {
    caches.values().forEach(Cache::start);
    for (var cache : caches.values()) {
      cache.awaitSynced();
    }
  }

  @Override
  public void close() {
    caches.values().forEach(Cache::close);
  }
}
