package io.berth.cluster.embedded;

import io.berth.api.ApiException;
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
  private boolean over;

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
    if (over) {
      return;
    }
    Change.Type type;
    Tree object;
    try {
      type = filter.typeOf(change);
      if (type == null) {
        return;
      }
      object = served.present(change.entry().object()).freeze();
    } catch (ApiException e) {
      // It cannot be converted: the watcher lists again, and is told why.
      over = true;
      watcher.ended(true);
      return;
    }
    switch (type) {
      case ADDED -> watcher.added(object);
      case MODIFIED -> watcher.modified(object);
      case DELETED -> watcher.deleted(object);
    }
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
