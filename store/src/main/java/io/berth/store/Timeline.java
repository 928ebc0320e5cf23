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

  /// How many steps history has at least when it is full.
  private static final int STEPS = 16;

  private static final int MOST_CHANGES = 64;

  private final Retention retention;
  private final ConcurrentMap<Range, ChangeLog> logs = new ConcurrentHashMap<>();
  private final NavigableMap<Long, Step> steps = new ConcurrentSkipListMap<>();
  private final int stepChanges;
  private final long stepBytes;
  private final Revisions revisions = new Revisions(() -> newest().revision());
  private final ReentrantLock trimming = new ReentrantLock();
  private final Consumer<List<Change>> onForgotten;

  private volatile State newest;
  private volatile long compacted;

  // Guarded by trimming.
  private @Nullable Step open;
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
    // History is forgotten in steps, so that one must be a small part of what is retained.
    this.stepChanges = Math.clamp(retention.most() / STEPS, 1, MOST_CHANGES);
    this.stepBytes = retention.bytes() / STEPS;
    for (var step : history) {
      enter(step.changes());
      steps.put(step.firstRevision(), step);
      changeCount += step.changes().size();
      byteCount += step.bytes();
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
    enter(changes);
    trimming.lock();
    try {
      append(changes, after.objects(), nowMillis);
      newest = after;
      trim(nowMillis);
    } finally {
      trimming.unlock();
    }
    revisions.moved();
    for (var change : changes) {
      log(Range.of(change.entry().key())).signal();
    }
  }

  private void enter(List<Change> changes) {
    for (var change : changes) {
      log(Range.of(change.entry().key())).add(change);
    }
  }

  private void append(List<Change> changes, PersistentMap<Key, Entry> after, long nowMillis) {
    long before = 0;
    if (open == null || open.bytes() > stepBytes || !open.takes(changes.size(), nowMillis)) {
      open = new Step(stepChanges, changes, after, nowMillis);
      steps.put(open.firstRevision(), open);
    } else {
      before = open.bytes();
      open.add(changes, after, nowMillis);
    }
    changeCount += changes.size();
    byteCount += open.bytes() - before;
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
    var containing = steps.floorEntry(revision);
    var step = containing == null ? steps.firstEntry() : containing;
    return step == null ? null : step.getValue().at(revision, range::contains);
  }

  void compact(long revision) {
    trimming.lock();
    try {
      if (revision > newest.revision()) {
        throw new IllegalArgumentException(
            "cannot compact to revision %d; the newest is %d"
                .formatted(revision, newest.revision()));
      }
      forget(step -> step.lastRevision() <= revision);
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
          (step.lastMillis() < oldestMillis
                  && changeCount - step.changes().size() >= retention.fewest())
              || changeCount > retention.most()
              || byteCount > retention.bytes());
    } finally {
      trimming.unlock();
    }
  }

  @SuppressWarnings("ReferenceEquality")
  private void forget(Predicate<Step> old) {
    var next = steps.firstEntry();
    while (next != null && old.test(next.getValue())) {
      var step = next.getValue();
      compacted = Math.max(compacted, step.lastRevision());
      steps.remove(next.getKey());
      open = step == open ? null : open;
      for (var change : step.changes()) {
        log(Range.of(change.entry().key())).forget(change);
      }
      changeCount -= step.changes().size();
      byteCount -= step.bytes();
      onForgotten.accept(step.changes());
      next = steps.firstEntry();
    }
  }

  void end(RuntimeException cause) {
    logs.values().forEach(log -> log.end(cause));
  }
}
