package io.berth.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Changes that have left history and are still on disk: the next batch takes them out.
///
/// At most as long as history was, since every batch empties it.
final class Forgotten {

  private final ConcurrentLinkedQueue<Change> queue = new ConcurrentLinkedQueue<>();

  void add(List<Change> changes) {
    queue.addAll(changes);
  }

  List<Change> drain() {
    var drained = new ArrayList<Change>();
    for (var change = queue.poll(); change != null; change = queue.poll()) {
      drained.add(change);
    }
    return drained;
  }
}
