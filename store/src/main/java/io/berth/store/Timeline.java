package io.berth.store;

import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What readers see: the newest state, the steps that led to it as far as they are retained, and
/// the changes of every resource for watches to follow.
///
/// One thread at a time publishes; `trimming` guards forgetting. Readers take no lock: they read
/// `newest` first, and everything up to its revision is in place by then. What may have been
/// forgotten under a reader's eyes shows in `compacted` and [ChangeLog#forgotten()], which are
/// raised before anything is removed.
final class Timeline {

  private final Retention retention;
  private final ConcurrentMap<Range, ChangeLog> logs = new ConcurrentHashMap<>();
  private final NavigableMap<Long, Step> steps = new ConcurrentSkipListMap<>();
  private final Revisions revisions = new Revisions(() -> newest().revision());
  private final ReentrantLock trimming = new ReentrantLock();
  private final Consumer<List<Change>> onForgotten;

  private volatile State newest;
  private volatile long compacted;

  // Guarded by trimming.
  private int changeCount;
  private long byteCount;

  /// `onForgotten` hears of changes that left history, oldest first.
  Timeline(State start, Retention retention, Consumer<List<Change>> onForgotten) {
    this.newest = start;
    this.compacted = start.revision();
    this.retention = retention;
    this.onForgotten = onForgotten;
  }

  State newest() {
    return newest;
  }

  long compacted() {
    return compacted;
  }

  Revisions revisions() {
    return revisions;
  }

  /// The changes of a whole resource.
  ChangeLog log(Range resource) {
    return logs.computeIfAbsent(resource, _ -> new ChangeLog());
  }

  /// Makes changes visible, all at once.
  void publish(List<Change> changes, State after, long nowMillis) {
    for (var change : changes) {
      log(Range.of(change.entry().key())).add(change);
    }
    steps.put(after.revision(), new Step(after, changes, nowMillis));
    newest = after;
    revisions.moved();
    for (var change : changes) {
      log(Range.of(change.entry().key())).signal();
    }
    trim(changes, nowMillis);
  }

  Listing listAt(Range range, long revision, @Nullable Key after, int limit) {
    var latest = newest;
    if (revision > latest.revision()) {
      throw new IllegalArgumentException(
          "revision %d is yet to come; the newest is %d".formatted(revision, latest.revision()));
    }
    var state = revision == latest.revision() ? latest : at(range, revision);
    if (state == null || compacted > revision) {
      throw new CompactedException(revision, compacted);
    }
    var listing = state.list(range, after, limit);
    return new Listing(revision, listing.entries(), listing.remaining());
  }

  // The state behind the step that contains the revision, with the rest of that step taken back.
  private @Nullable State at(Range range, long revision) {
    var next = steps.ceilingEntry(revision);
    if (next == null) {
      return null;
    }
    var step = next.getValue();
    var state = step.after;
    for (int i = step.changes.size() - 1; i >= 0; i--) {
      var change = step.changes.get(i);
      if (change.revision() > revision && range.contains(change.entry().key())) {
        state = state.with(revision, change.entry().key(), change.previous());
      }
    }
    return state;
  }

  void compact(long revision) {
    trimming.lock();
    try {
      if (revision > newest.revision()) {
        throw new IllegalArgumentException(
            "cannot compact to revision %d; the newest is %d"
                .formatted(revision, newest.revision()));
      }
      forget(step -> step.after.revision() <= revision);
      compacted = Math.max(compacted, revision);
    } finally {
      trimming.unlock();
    }
  }

  /// Forgets what is beyond the retention, after `added` came in.
  void trim(List<Change> added, long nowMillis) {
    long oldestMillis = nowMillis - retention.age().toMillis();
    trimming.lock();
    try {
      changeCount += added.size();
      byteCount += byteCount(added);
      forget(step ->
          step.atMillis < oldestMillis
              || changeCount > retention.changes()
              || byteCount > retention.bytes());
    } finally {
      trimming.unlock();
    }
  }

  private void forget(Predicate<Step> old) {
    var next = steps.firstEntry();
    while (next != null && old.test(next.getValue())) {
      var step = next.getValue();
      compacted = Math.max(compacted, step.after.revision());
      steps.remove(next.getKey());
      for (var change : step.changes) {
        log(Range.of(change.entry().key())).forget(change);
      }
      changeCount -= step.changes.size();
      byteCount -= byteCount(step.changes);
      onForgotten.accept(step.changes);
      next = steps.firstEntry();
    }
  }

  void end(RuntimeException cause) {
    logs.values().forEach(log -> log.end(cause));
  }

  private static long byteCount(List<Change> changes) {
    long bytes = 0;
    for (var change : changes) {
      bytes += change.entry().bytes().length;
    }
    return bytes;
  }

  /// Changes that became visible together, and the state they led to.
  private record Step(State after, List<Change> changes, long atMillis) {}
}
