package io.berth.store;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One watch: a position in the change log of a resource, and a virtual thread that moves it.
///
/// There is no queue per watch: what a slow listener has not seen yet waits in the log, whose
/// bounds are those of [Retention], and a position that the log has left behind ends the watch.
final class Watch implements Store.Subscription {

  private final Timeline timeline;
  private final ChangeLog log;
  private final Range range;
  private final Store.Listener listener;
  private final Thread thread;
  private final AtomicBoolean signalled = new AtomicBoolean(true);
  private final AtomicBoolean progressRequested = new AtomicBoolean();
  private final AtomicReference<@Nullable RuntimeException> end = new AtomicReference<>();
  private volatile boolean closed;

  /// Everything up to here has been delivered. Owned by `thread`.
  private long position;

  Watch(Timeline timeline, Range range, long after, Store.Listener listener) {
    this.timeline = timeline;
    this.log = timeline.log(range.everywhere());
    this.range = range;
    this.position = after;
    this.listener = listener;
    this.thread = Thread.ofVirtual().name("watch " + range.resource()).unstarted(this::run);
  }

  void start() {
    log.follow(this);
    thread.start();
  }

  private void run() {
    try {
      while (!closed && end.get() == null) {
        awaitSignal();
        deliver();
      }
    } catch (RuntimeException e) {
      end(e);
    } finally {
      log.unfollow(this);
    }
    var cause = end.get();
    if (cause != null && !closed) {
      listener.ended(cause);
    }
  }

  private void awaitSignal() {
    while (!signalled.getAndSet(false)) {
      LockSupport.park(this);
    }
  }

  private void deliver() {
    boolean progress = progressRequested.getAndSet(false);
    long target = timeline.newest().revision();
    var changes = log.between(position, target);
    while (changes.hasNext() && !closed && end.get() == null) {
      var change = changes.next();
      checkNothingForgotten();
      if (range.contains(change.entry().key())) {
        listener.changed(change);
      }
      position = change.revision();
    }
    checkNothingForgotten();
    position = Math.max(position, target);
    if (progress && !closed) {
      listener.progressed(position);
    }
  }

  private void checkNothingForgotten() {
    if (log.forgotten() > position) {
      throw new CompactedException(position, timeline.compacted());
    }
  }

  void signal() {
    if (!signalled.getAndSet(true)) {
      LockSupport.unpark(thread);
    }
  }

  /// Ends the watch for a reason of the store's; the listener hears of it.
  void end(RuntimeException cause) {
    end.compareAndSet(null, cause);
    signal();
  }

  @Override
  public void requestProgress() {
    progressRequested.set(true);
    signal();
  }

  @Override
  public void close() {
    closed = true;
    signal();
  }
}
