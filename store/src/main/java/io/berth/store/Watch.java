package io.berth.store;

import io.berth.api.Crew;
import io.berth.api.Errand;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One watch: a position in the change log of a resource, and an errand that moves it.
///
/// There is no queue per watch: what a slow listener has not seen yet waits in the log, whose
/// bounds are those of [Retention], and a position that the log has left behind ends the watch.
final class Watch implements Store.Subscription {

  private static final AtomicLong COUNT = new AtomicLong();

  private final long number = COUNT.incrementAndGet();
  private final Timeline timeline;
  private final ChangeLog log;
  private final Range range;
  private final Store.Listener listener;
  private final Errand errand;
  private final AtomicBoolean progressRequested = new AtomicBoolean();
  private final AtomicReference<@Nullable RuntimeException> end = new AtomicReference<>();
  private volatile boolean closed;

  /// Everything up to here has been delivered. Owned by the errand, as is `over`.
  private long position;

  private boolean over;

  Watch(Crew crew, Timeline timeline, Range range, long after, Store.Listener listener) {
    this.timeline = timeline;
    this.log = timeline.log(range.everywhere());
    this.range = range;
    this.position = after;
    this.listener = listener;
    this.errand = new Errand(crew, "watch " + range.resource(), this::goOn);
  }

  void start() {
    log.follow(this);
    errand.call();
  }

  long number() {
    return number;
  }

  private void goOn() {
    if (over) {
      return;
    }
    try {
      if (!isEnding()) {
        deliver();
      }
    } catch (RuntimeException e) {
      end.compareAndSet(null, e);
    }
    if (isEnding()) {
      finish();
    }
  }

  private boolean isEnding() {
    return closed || end.get() != null;
  }

  private void finish() {
    over = true;
    log.unfollow(this);
    var cause = end.get();
    if (cause != null && !closed) {
      listener.ended(cause);
    }
  }

  private void deliver() {
    boolean progress = progressRequested.getAndSet(false);
    long target = timeline.newest().revision();
    var changes = log.between(position, target);
    while (changes.hasNext() && !isEnding()) {
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
    errand.call();
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
