package io.berth.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Keeps a copy of a range, as clients do, is slow at times, and complains about whatever a watch
/// must not do.
///
/// Its fields belong to the thread of its watch; a new watch begins only when the old one ended.
final class StressInformer implements Store.Listener {

  private final Store store;
  private final Range range;
  private final Random random;
  private final Map<Key, Long> objects = new HashMap<>();
  private final List<String> complaints = new ArrayList<>();
  private final CountDownLatch done = new CountDownLatch(1);
  private long position;
  private int starts;
  private volatile long awaited = Long.MAX_VALUE;
  private volatile Store.@Nullable Subscription subscription;

  StressInformer(Store store, Range range, Random random) {
    this.store = store;
    this.range = range;
    this.random = random;
  }

  // Locked, so that a watch that ends at once does not restart before this one is remembered.
  synchronized void start() {
    boolean watching = false;
    while (!watching) {
      starts++;
      var listing = store.list(range);
      objects.clear();
      listing.entries().forEach(entry -> objects.put(entry.key(), entry.revision()));
      position = listing.revision();
      try {
        subscription = store.watch(range, position, this);
        watching = true;
      } catch (CompactedException e) {
        // Compacted between listing and watching: list again.
      }
    }
  }

  @Override
  public void changed(Change change) {
    var key = change.entry().key();
    var held = objects.get(key);
    var previous = change.previous();
    check(change.revision() > position, "out of order", change);
    check(range.contains(key), "not asked for", change);
    check(
        previous == null ? held == null : held != null && held == previous.revision(),
        "does not follow " + held,
        change);
    position = change.revision();
    if (change.type() == Change.Type.DELETED) {
      objects.remove(key);
    } else {
      objects.put(key, change.revision());
    }
    if (random.nextInt(300) == 0) {
      fallBehind();
    }
  }

  private void fallBehind() {
    try {
      while (store.compactedRevision() <= position && awaited == Long.MAX_VALUE) {
        store.awaitRevision(store.revision() + 1, Duration.ofMillis(1));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void check(boolean holds, String complaint, Change change) {
    if (!holds) {
      complaints.add(complaint + ": " + change + " at " + position);
    }
  }

  @Override
  public void progressed(long revision) {
    if (revision < position) {
      complaints.add("progress to %d behind %d".formatted(revision, position));
    }
    position = revision;
    if (revision >= awaited) {
      done.countDown();
    }
  }

  @Override
  public void ended(RuntimeException cause) {
    if (cause instanceof CompactedException) {
      start();
    } else {
      complaints.add("ended: " + cause);
      done.countDown();
    }
  }

  /// Waits until everything up to this revision has arrived.
  void await(long revision) throws InterruptedException {
    awaited = revision;
    while (!done.await(5, TimeUnit.MILLISECONDS)) {
      var current = subscription;
      if (current != null) {
        current.requestProgress();
      }
    }
  }

  Range range() {
    return range;
  }

  Map<Key, Long> objects() {
    return objects;
  }

  List<String> complaints() {
    return complaints;
  }

  int starts() {
    return starts;
  }
}
