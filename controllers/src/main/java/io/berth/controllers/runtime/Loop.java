package io.berth.controllers.runtime;

import io.berth.api.ApiException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A queue of keys and a few workers that reconcile them.
///
/// A key that fails comes back after 5 ms, 10 ms, … up to a minute; once its pauses are at their
/// longest, trying again is routine. Conflicts and vanished objects are ordinary: the watch will
/// bring what is new, and the retry is quiet. Workers come when there is something to do.
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
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private volatile boolean started;
  private volatile boolean closed;

  public Loop(String name, int workers, Timers timers, Reconciler reconciler) {
    this.name = name;
    this.workers = workers;
    this.timers = timers;
    this.reconciler = reconciler;
  }

  public void add(Key key) {
    queue.add(key);
    if (started) {
      engage();
    }
  }

  public Timers.Timer addAfter(Key key, Duration delay) {
    return timers.after(delay, new Later(this, key));
  }

  /// As [#addAfter], for what is no work ahead by itself.
  public Timers.Timer addRoutinely(Key key, Duration delay) {
    return timers.routinely(delay, new Later(this, key));
  }

  public Loop start() {
    started = true;
    for (int i = 0; i < workers; i++) {
      engage();
    }
    return this;
  }

  @Override
  public void close() {
    closed = true;
    queue.close();
    threads.forEach(Thread::interrupt);
  }

  private void engage() {
    if (queue.engage(workers)) {
      timers.crew().start(name, this::work);
    }
  }

  private void work() {
    var thread = Thread.currentThread();
    threads.add(thread);
    try {
      for (var key = queue.take(); key != null; key = queue.take()) {
        queue.done(key, !succeeds(key));
      }
    } finally {
      threads.remove(thread);
    }
  }

  private boolean succeeds(Key key) {
    try {
      reconciler.reconcile(key);
      return true;
    } catch (RuntimeException e) {
      if (closed) {
        return false;
      }
      var failures = queue.failures(key);
      report(key, e, failures);
      retry(key, failures);
      return false;
    }
  }

  private void retry(Key key, int failures) {
    if (failures < LONGEST_RETRY_DOUBLINGS) {
      addAfter(key, FIRST_RETRY.multipliedBy(1L << failures));
    } else {
      addRoutinely(key, FIRST_RETRY.multipliedBy(1L << LONGEST_RETRY_DOUBLINGS));
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

  private record Later(Loop loop, Key key) implements Runnable {

    @Override
    public void run() {
      loop.add(key);
    }

    @Override
    public String toString() {
      return loop.name + " " + key;
    }
  }
}
