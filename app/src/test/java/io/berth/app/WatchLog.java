package io.berth.app;

import io.berth.api.Resource;
import io.berth.store.Change;
import io.berth.store.Range;
import io.berth.store.Store;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/// The changes of several resources as one log, in the order of their revisions.
///
/// Each resource has a watch of its own; a change is handed on once every watch has come as far.
final class WatchLog implements AutoCloseable {

  private final List<Stream> streams = new ArrayList<>();
  private final Consumer<Change> reader;
  private final long startedAt;
  private long upTo;

  WatchLog(Store store, List<Resource> resources, long afterRevision, Consumer<Change> reader) {
    this.reader = reader;
    this.startedAt = afterRevision;
    this.upTo = afterRevision;
    for (var resource : resources) {
      streams.add(new Stream(store, Range.of(resource.group(), resource.plural()), afterRevision));
    }
  }

  /// Reads everything up to the newest revision of now.
  synchronized void readTo(long revision) throws InterruptedException {
    streams.forEach(Stream::requestProgress);
    for (var stream : streams) {
      while (stream.seen < revision) {
        if (stream.ended) {
          throw new IllegalStateException("a watch ended at revision " + stream.seen);
        }
        wait(50);
        stream.requestProgress();
      }
    }
    var due = new ArrayList<Change>();
    for (var stream : streams) {
      while (!stream.pending.isEmpty() && stream.pending.peek().revision() <= revision) {
        due.add(stream.pending.remove());
      }
    }
    due.sort(Comparator.comparingLong(Change::revision));
    due.forEach(reader);
    upTo = Math.max(upTo, revision);
  }

  long startedAt() {
    return startedAt;
  }

  long upTo() {
    return upTo;
  }

  @Override
  public void close() {
    streams.forEach(stream -> stream.subscription.close());
  }

  private final class Stream implements Store.Listener {

    private final Deque<Change> pending = new ArrayDeque<>();
    private final Store.Subscription subscription;
    private long seen;
    private boolean ended;

    Stream(Store store, Range range, long afterRevision) {
      this.seen = afterRevision;
      this.subscription = store.watch(range, afterRevision, this);
    }

    void requestProgress() {
      subscription.requestProgress();
    }

    @Override
    public void changed(Change change) {
      synchronized (WatchLog.this) {
        pending.add(change);
        seen = change.revision();
        WatchLog.this.notifyAll();
      }
    }

    @Override
    public void progressed(long revision) {
      synchronized (WatchLog.this) {
        seen = Math.max(seen, revision);
        WatchLog.this.notifyAll();
      }
    }

    @Override
    public void ended(RuntimeException cause) {
      synchronized (WatchLog.this) {
        ended = true;
        WatchLog.this.notifyAll();
      }
    }
  }
}
