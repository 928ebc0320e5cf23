package io.berth.store;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// The retained changes of one resource by revision, and the watches that follow them.
final class ChangeLog {

  private final ConcurrentNavigableMap<Long, Change> changes = new ConcurrentSkipListMap<>();
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private volatile long forgotten;

  void add(Change change) {
    changes.put(change.revision(), change);
  }

  /// The newest change that is no longer here.
  long forgotten() {
    return forgotten;
  }

  void forget(Change change) {
    forgotten = change.revision();
    changes.remove(change.revision());
  }

  Iterator<Change> between(long after, long upTo) {
    return changes.subMap(after, false, upTo, true).values().iterator();
  }

  void follow(Watch watch) {
    watches.add(watch);
  }

  void unfollow(Watch watch) {
    watches.remove(watch);
  }

  /// Tells the watches that there is something new.
  void signal() {
    for (var watch : watches) {
      watch.signal();
    }
  }

  void end(RuntimeException cause) {
    for (var watch : watches) {
      watch.end(cause);
    }
  }
}
