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

  /// `history` is the steps from `compacted` to `newest`; `onForgotten` hears of changes that left
  /// history, oldest first.
  Timeline(
      State newest,
      long compacted,
      List<Step> history,
      Retention retention,
      Consumer<List<Change>> onForgotten) {
    this.newest = newest;
    this.compacted = compacted;
    this.retention = retention;
    this.onForgotten = onForgotten;
    for (var step : history) {
      add(step);
      changeCount += step.changes.size();
      byteCount += step.bytes;
    }
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
    var step = Step.of(after.revision(), after.objects(), changes, nowMillis);
    add(step);
    newest = after;
    revisions.moved();
    for (var change : changes) {
      log(Range.of(change.entry().key())).signal();
    }
    trimming.lock();
    try {
      changeCount += changes.size();
      byteCount += step.bytes;
      trim(nowMillis);
    } finally {
      trimming.unlock();
    }
  }

  private void add(Step step) {
    for (var change : step.changes) {
      log(Range.of(change.entry().key())).add(change);
    }
    steps.put(step.revision, step);
  }

  Listing listAt(Range range, long revision, @Nullable Key after, int limit) {
    var latest = newest;
    if (revision > latest.revision()) {
      throw new IllegalArgumentException(
          "revision %d is yet to come; the newest is %d".formatted(revision, latest.revision()));
    }
    var objects = revision == latest.revision() ? latest.objects() : at(range, revision);
    if (objects == null || compacted > revision) {
      throw new CompactedException(revision, compacted);
    }
    return State.list(objects, revision, range, after, limit);
  }

  // The state behind the step that contains the revision, with the rest of that step taken back.
  private @Nullable PersistentMap<Key, Entry> at(Range range, long revision) {
    var next = steps.ceilingEntry(revision);
    return next == null ? null : next.getValue().undone(revision, range::contains);
  }

  void compact(long revision) {
    trimming.lock();
    try {
      if (revision > newest.revision()) {
        throw new IllegalArgumentException(
            "cannot compact to revision %d; the newest is %d"
                .formatted(revision, newest.revision()));
      }
      forget(step -> step.revision <= revision);
      compacted = Math.max(compacted, revision);
    } finally {
      trimming.unlock();
    }
  }

  /// Forgets what is beyond the retention.
  void trim(long nowMillis) {
    long oldestMillis = nowMillis - retention.age().toMillis();
    trimming.lock();
    try {
      forget(step ->
          (step.atMillis < oldestMillis && changeCount - step.changes.size() >= retention.fewest())
              || changeCount > retention.most()
              || byteCount > retention.bytes());
    } finally {
      trimming.unlock();
    }
  }

  private void forget(Predicate<Step> old) {
    var next = steps.firstEntry();
    while (next != null && old.test(next.getValue())) {
      var step = next.getValue();
      compacted = Math.max(compacted, step.revision);
      steps.remove(next.getKey());
      for (var change : step.changes) {
        log(Range.of(change.entry().key())).forget(change);
      }
      changeCount -= step.changes.size();
      byteCount -= step.bytes;
      onForgotten.accept(step.changes);
      next = steps.firstEntry();
    }
  }

  void end(RuntimeException cause) {
    logs.values().forEach(log -> log.end(cause));
  }

  /// Changes that became visible together, the objects they led to, and about how many bytes those
  /// take in history.
  record Step(
      long revision,
      PersistentMap<Key, Entry> after,
      List<Change> changes,
      long atMillis,
      long bytes) {

    static Step of(
        long revision, PersistentMap<Key, Entry> after, List<Change> changes, long atMillis) {
      long bytes = 0;
      for (var change : changes) {
        bytes += change.entry().size();
      }
      return new Step(revision, after, changes, atMillis, bytes);
    }

    /// The objects with the changes behind `target` taken back, where `matters` says so.
    PersistentMap<Key, Entry> undone(long target, Predicate<Key> matters) {
      var objects = after;
      for (int i = changes.size() - 1; i >= 0 && changes.get(i).revision() > target; i--) {
        var key = changes.get(i).entry().key();
        var previous = changes.get(i).previous();
        if (matters.test(key)) {
          objects = previous == null ? objects.without(key) : objects.with(key, previous);
        }
      }
      return objects;
    }
  }
}
