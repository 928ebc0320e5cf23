package io.berth.cluster.embedded;

import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.server.registry.Served;
import io.berth.server.watch.Filter;
import io.berth.store.Change;
import io.berth.store.CompactedException;
import io.berth.store.Store;
import java.util.function.Predicate;

/// Hands the store's changes to a watcher, on the store's thread for this watch.
final class InProcessWatch implements Store.Listener {

  private final Served served;
  private final Filter filter;
  private final Cluster.Watcher watcher;

  private InProcessWatch(Served served, Filter filter, Cluster.Watcher watcher) {
    this.served = served;
    this.filter = filter;
    this.watcher = watcher;
  }

  static Cluster.Watch start(
      Store store,
      Served served,
      String namespace,
      Predicate<Tree> matches,
      long afterRevision,
      Cluster.Watcher watcher) {
    var watch = new InProcessWatch(served, new Filter(matches), watcher);
    try {
      var subscription = store.watch(served.range(namespace), afterRevision, watch);
      return subscription::close;
    } catch (CompactedException e) {
      watcher.ended(true);
      return () -> {};
    }
  }

  @Override
  public void changed(Change change) {
    switch (filter.typeOf(change)) {
      case ADDED -> watcher.added(shown(change));
      case MODIFIED -> watcher.modified(shown(change));
      case DELETED -> watcher.deleted(shown(change));
      case null -> {}
    }
  }

  private Tree shown(Change change) {
    return served.present(change.entry().object()).freeze();
  }

  @Override
  public void progressed(long revision) {
    watcher.bookmark(String.valueOf(revision));
  }

  @Override
  public void ended(RuntimeException cause) {
    watcher.ended(cause instanceof CompactedException);
  }
}
