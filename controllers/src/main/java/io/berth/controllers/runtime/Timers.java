package io.berth.controllers.runtime;

import io.berth.api.Crew;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Runs things later: one heap and one thread for all heartbeats, deadlines and backoffs.
///
/// Time is monotonic, so a step of the wall clock fires nothing. Tasks run on the timer thread and
/// must return at once; they usually put a key into a queue. Without [#start()] nothing fires by
/// itself and [#runDue()] fires what is due, which is how time is moved by hand. Cancelled entries
/// are swept when they are more than half of the heap, so the heap is bounded by what is pending.
///
/// A timer is work that is due, or routine: what comes again for ever, such as a heartbeat, or at a
/// time that a user chose, such as a schedule. A cluster with nothing but routine ahead is at rest.
public final class Timers implements AutoCloseable {

  private static final int SWEEP_FROM = 1024;

  private final LongSupplier nanos;
  private final Crew crew;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition earlier = lock.newCondition();
  private final PriorityQueue<Timer> heap =
      new PriorityQueue<>(
          Comparator.comparingLong((Timer t) -> t.due).thenComparingLong(t -> t.order));
  private long order;
  private int cancelled;
  private int working;
  private @Nullable Thread thread;

  public Timers(LongSupplier nanos) {
    this(nanos, Crew.THREADS);
  }

  /// `crew` does what timers set off.
  public Timers(LongSupplier nanos, Crew crew) {
    this.nanos = nanos;
    this.crew = crew;
  }

  public Crew crew() {
    return crew;
  }

  /// Now, on the clock that timers go by.
  public long nanos() {
    return nanos.getAsLong();
  }

  public Timer after(Duration delay, Runnable task) {
    return add(delay, task, false);
  }

  /// As [#after], for what is no work ahead by itself.
  public Timer routinely(Duration delay, Runnable task) {
    return add(delay, task, true);
  }

  private Timer add(Duration delay, Runnable task, boolean routine) {
    lock.lock();
    try {
      var due = nanos.getAsLong() + Math.max(0, saturatedNanos(delay));
      var timer = new Timer(due, order++, task, routine);
      if (!routine) {
        working++;
      }
      heap.add(timer);
      if (heap.peek() == timer) {
        earlier.signal();
      }
      return timer;
    } finally {
      lock.unlock();
    }
  }

  public Timers start() {
    thread = Thread.ofPlatform().daemon().name("timers").start(this::run);
    return this;
  }

  /// When the next timer is due, or `Long.MAX_VALUE`.
  public long nextDue() {
    lock.lock();
    try {
      var next = next();
      return next == null ? Long.MAX_VALUE : next.due;
    } finally {
      lock.unlock();
    }
  }

  /// What is ahead beside routine, as its tasks call themselves; the earliest first.
  public List<String> work() {
    lock.lock();
    try {
      return working == 0
          ? List.of()
          : heap.stream()
              .filter(timer -> !timer.routine && !timer.cancelled)
              .sorted(heap.comparator())
              .map(timer -> timer.task.toString())
              .toList();
    } finally {
      lock.unlock();
    }
  }

  /// Whether nothing but routine is ahead.
  public boolean isIdle() {
    lock.lock();
    try {
      return working == 0;
    } finally {
      lock.unlock();
    }
  }

  /// Fires everything that is due now, on the calling thread; tells whether there was anything.
  public boolean runDue() {
    var any = false;
    for (var timer = pollDue(); timer != null; timer = pollDue()) {
      timer.task.run();
      any = true;
    }
    return any;
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }

  private void run() {
    try {
      while (true) {
        awaitDue();
        runDue();
      }
    } catch (InterruptedException e) {
      // close() ends the thread this way.
    }
  }

  private void awaitDue() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        var next = next();
        if (next == null) {
          earlier.await();
          continue;
        }
        var wait = next.due - nanos.getAsLong();
        if (wait <= 0) {
          return;
        }
        var _ = earlier.awaitNanos(wait);
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Timer pollDue() {
    lock.lock();
    try {
      var next = next();
      if (next == null || next.due > nanos.getAsLong()) {
        return null;
      }
      next.fired = true;
      if (!next.routine) {
        working--;
      }
      return heap.poll();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Timer next() {
    while (heap.peek() != null && heap.peek().cancelled) {
      heap.poll();
      cancelled--;
    }
    return heap.peek();
  }

  private static long saturatedNanos(Duration delay) {
    return delay.toSeconds() > Long.MAX_VALUE / 4_000_000_000L
        ? Long.MAX_VALUE / 4
        : delay.toNanos();
  }

  /// Something that will happen, unless cancelled first.
  public final class Timer {

    private final long due;
    private final long order;
    private final Runnable task;
    private final boolean routine;
    private boolean cancelled;
    private boolean fired;

    private Timer(long due, long order, Runnable task, boolean routine) {
      this.due = due;
      this.order = order;
      this.task = task;
      this.routine = routine;
    }

    public void cancel() {
      lock.lock();
      try {
        if (cancelled || fired) {
          return;
        }
        cancelled = true;
        Timers.this.cancelled++;
        if (!routine) {
          working--;
        }
        if (heap.size() > SWEEP_FROM && Timers.this.cancelled > heap.size() / 2) {
          heap.removeIf(timer -> timer.cancelled);
          Timers.this.cancelled = 0;
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
