package io.berth.store;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The retained changes of one resource by revision, and the watches that follow them.
///
/// Changes are added and forgotten in order, each by one thread at a time; any number read. They
/// lie in chunks, found by their first revision, so that a change costs a place in an array.
final class ChangeLog {

  private static final int CHUNK = 64;

  private final ConcurrentNavigableMap<Long, Chunk> chunks = new ConcurrentSkipListMap<>();
  // In the order in which they began, so that runs on one thread repeat.
  private final Set<Watch> watches =
      new ConcurrentSkipListSet<>(Comparator.comparingLong(Watch::number));
  private volatile long forgotten;

  // Used by whoever adds.
  private @Nullable Chunk newest;

  void add(Change change) {
    var chunk = newest;
    if (chunk == null || chunk.count == CHUNK) {
      chunk = new Chunk(change);
      newest = chunk;
      chunks.put(change.revision(), chunk);
    } else {
      chunk.add(change);
    }
  }

  /// The newest change that is no longer here.
  long forgotten() {
    return forgotten;
  }

  /// Forgets the oldest change, which is this one.
  void forget(Change change) {
    forgotten = change.revision();
    var oldest = chunks.firstEntry();
    if (oldest != null && oldest.getValue().forgetFirst()) {
      chunks.remove(oldest.getKey());
    }
  }

  Iterator<Change> between(long after, long upTo) {
    return new Cursor(after, upTo);
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

  /// Some changes in a row.
  private static final class Chunk {
    private final long[] revisions = new long[CHUNK];
    private final AtomicReferenceArray<@Nullable Change> changes =
        new AtomicReferenceArray<>(CHUNK);

    /// How many have been added; what is below may be read.
    private volatile int count;

    // Used by whoever forgets.
    private int forgottenCount;

    Chunk(Change first) {
      add(first);
    }

    void add(Change change) {
      int at = count;
      revisions[at] = change.revision();
      changes.setRelease(at, change);
      count = at + 1;
    }

    /// Answers whether nothing is left, nor will be.
    boolean forgetFirst() {
      changes.setRelease(forgottenCount++, null);
      return forgottenCount == CHUNK;
    }

    /// Where the first change behind a revision is, or will be.
    int indexAfter(long revision) {
      int at = Arrays.binarySearch(revisions, 0, count, revision + 1);
      return at >= 0 ? at : -at - 1;
    }
  }

  /// Skips what is forgotten under its eyes: its user finds that out from [#forgotten()].
  private final class Cursor implements Iterator<Change> {
    private final long upTo;
    private @Nullable Chunk chunk;
    private int index;
    private @Nullable Change next;

    Cursor(long after, long upTo) {
      this.upTo = upTo;
      var first = chunks.floorEntry(after + 1);
      var start = first == null ? chunks.firstEntry() : first;
      if (start != null) {
        chunk = start.getValue();
        index = start.getValue().indexAfter(after);
      }
      next = advance();
    }

    private @Nullable Change advance() {
      while (chunk != null) {
        if (index == CHUNK) {
          var following = chunks.higherEntry(chunk.revisions[0]);
          chunk = following == null ? null : following.getValue();
          index = 0;
        } else if (index >= chunk.count || chunk.revisions[index] > upTo) {
          chunk = null;
        } else {
          var change = chunk.changes.getAcquire(index++);
          if (change != null) {
            return change;
          }
        }
      }
      return null;
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Change next() {
      var change = next;
      if (change == null) {
        throw new NoSuchElementException();
      }
      next = advance();
      return change;
    }
  }
}
