package io.berth.store;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// Lets threads wait for a revision. Costs the publisher one volatile read while nobody waits.
final class Revisions {

  private final LongSupplier visible;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition reached = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();

  Revisions(LongSupplier visible) {
    this.visible = visible;
  }

  /// To be called after more revisions became visible.
  void moved() {
    if (waiting.get() == 0) {
      return;
    }
    lock.lock();
    try {
      reached.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean await(long revision, Duration timeout) throws InterruptedException {
    if (visible.getAsLong() >= revision) {
      return true;
    }
    lock.lock();
    try {
      waiting.incrementAndGet();
      long nanos = timeout.toNanos();
      while (visible.getAsLong() < revision && nanos > 0) {
        nanos = reached.awaitNanos(nanos);
      }
      return visible.getAsLong() >= revision;
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }
}
