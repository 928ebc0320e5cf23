package io.berth.controllers.runtime;

import io.berth.api.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A queue of keys and a few workers that reconcile them.
///
/// A key that fails comes back after 5 ms, 10 ms, … up to a minute. Conflicts and vanished objects
/// are ordinary: the watch will bring what is new, and the retry is quiet.
public final class Loop implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
  private static final Duration FIRST_RETRY = Duration.ofMillis(5);
  private static final int LONGEST_RETRY_DOUBLINGS = 13; // 5 ms · 2¹³ ≈ 41 s
  private static final int LOUD_FROM = 3;

  private final String name;
  private final int workers;
  private final Timers timers;
  private final Reconciler reconciler;
  private final WorkQueue<Key> queue = new WorkQueue<>();
  private final List<Thread> threads = new ArrayList<>();

  public Loop(String name, int workers, Timers timers, Reconciler reconciler) {
    this.name = name;
    this.workers = workers;
    this.timers = timers;
    this.reconciler = reconciler;
  }

  public void add(Key key) {
    queue.add(key);
  }

  public Timers.Timer addAfter(Key key, Duration delay) {
    return timers.after(delay, () -> queue.add(key));
  }

  public Loop start() {
    for (int i = 0; i < workers; i++) {
      threads.add(Thread.ofVirtual().name(name + "-" + i).start(this::work));
    }
    return this;
  }

  @Override
  public void close() {
    queue.close();
    threads.forEach(Thread::interrupt);
  }

  private void work() {
    try {
      for (var key = queue.take(); key != null; key = queue.take()) {
        queue.done(key, !succeeds(key));
      }
    } catch (InterruptedException e) {
      // close() ends the worker this way.
    }
  }

  private boolean succeeds(Key key) {
    try {
      reconciler.reconcile(key);
      return true;
    } catch (RuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      var failures = queue.failures(key);
      report(key, e, failures);
      addAfter(key, FIRST_RETRY.multipliedBy(1L << Math.min(failures, LONGEST_RETRY_DOUBLINGS)));
      return false;
    }
  }

  private void report(Key key, RuntimeException e, int failures) {
    if (!(e instanceof ApiException refusal)) {
      LOG.warn("{}: {} failed", name, key, e);
    } else if (failures >= LOUD_FROM && !refusal.is("Conflict") && !refusal.is("NotFound")) {
      LOG.warn("{}: {}: {}", name, key, refusal.getMessage());
    } else {
      LOG.debug("{}: {}: {}", name, key, refusal.getMessage());
    }
  }
}
