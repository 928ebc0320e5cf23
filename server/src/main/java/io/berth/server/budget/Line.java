package io.berth.server.budget;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/// The work of one owner, turn by turn.
///
/// A line that is not slowed down lets everybody through. One that is has only so much time: each
/// turn is charged what such turns take when it begins, and what it took when it ends.
final class Line {

  /// The share of one that is not slowed down.
  static final double ALL = Double.POSITIVE_INFINITY;

  private static final long FIRST_GUESS = Duration.ofMillis(1).toNanos();
  private static final long MOST_CREDIT = Duration.ofMillis(10).toNanos();
  private static final long MOST_DEBT = Duration.ofMillis(200).toNanos();
  private static final long PATIENCE = Duration.ofSeconds(10).toNanos();

  /// So many strangers wait; one more is sent away.
  private static final int STRANGERS_WAITING = 200;

  private static final double SMOOTH = 0.1;
  private static final double LEAST_STEP = 0.001;

  private final Owner owner;
  private final Deque<Waiter> waiting = new ArrayDeque<>();
  private int members;
  private long left = System.nanoTime();
  private int running;
  private int most = Integer.MAX_VALUE;
  private double busy;
  private double share = ALL;
  private long credit;
  private long guess = FIRST_GUESS;

  Line(Owner owner) {
    this.owner = owner;
  }

  private static final class Waiter {

    private final Thread thread = Thread.currentThread();
    private volatile boolean let;
  }

  synchronized Line joined() {
    members++;
    return this;
  }

  synchronized void leave() {
    members--;
    left = System.nanoTime();
  }

  synchronized boolean isForgotten(long now, long nanos) {
    return members == 0 && now - left > nanos;
  }

  /// Comes back when this thread may work, until [#end]; throws the refusal when that takes longer
  /// than [#PATIENCE]. Returns when the turn began.
  long begin() {
    return begin(PATIENCE);
  }

  /// The same however long it takes.
  long goOn() {
    return begin(Long.MAX_VALUE);
  }

  private long begin(long patience) {
    Waiter waiter;
    synchronized (this) {
      if (waiting.isEmpty() && mayStart()) {
        start();
        return System.nanoTime();
      }
      if (isStrange() && patience == PATIENCE && waiting.size() >= STRANGERS_WAITING) {
        throw tooMany();
      }
      waiter = new Waiter();
      waiting.add(waiter);
    }
    await(waiter, patience);
    return System.nanoTime();
  }

  private void await(Waiter waiter, long patience) {
    long since = System.nanoTime();
    while (!waiter.let) {
      long rest = patience - (System.nanoTime() - since);
      if (rest <= 0) {
        synchronized (this) {
          if (!waiter.let) {
            waiting.remove(waiter);
            throw tooMany();
          }
        }
        return;
      }
      LockSupport.parkNanos(this, rest);
    }
  }

  private boolean mayStart() {
    return running < most && (share == ALL || credit > 0);
  }

  private void start() {
    running++;
    credit -= share == ALL ? 0 : guess;
  }

  synchronized void end(long began) {
    long took = System.nanoTime() - began;
    running--;
    if (share != ALL) {
      credit = Math.max(credit + guess - took, -MOST_DEBT);
    }
    guess += (took - guess) / 8;
    startWaiting();
  }

  private void startWaiting() {
    while (!waiting.isEmpty() && mayStart()) {
      var next = waiting.remove();
      start();
      next.let = true;
      LockSupport.unpark(next.thread);
    }
  }

  /// `nanos` later; `atOnce` turns may be under way from now on.
  synchronized void tick(long nanos, int atOnce) {
    most = atOnce;
    busy += SMOOTH * (present() - busy);
    if (share != ALL) {
      credit = Math.min(credit + (long) (share * nanos), MOST_CREDIT);
    }
    startWaiting();
  }

  synchronized void slower(double factor) {
    if (share == ALL) {
      credit = 0;
    }
    share = factor * Math.min(share, Math.max(running, 1));
  }

  synchronized void faster(double factor, int most) {
    share = Math.max(share * factor, share + LEAST_STEP);
    if (share > most) {
      share = waiting.isEmpty() ? ALL : most;
    }
  }

  boolean isOf(Owner other) {
    return owner.equals(other);
  }

  boolean isStrange() {
    return owner.isStranger();
  }

  /// How many threads it keeps busy, or would.
  synchronized double busy() {
    return busy;
  }

  /// How many threads work or wait now.
  synchronized int present() {
    return running + waiting.size();
  }

  /// How many processors it may keep busy.
  synchronized double share() {
    return share;
  }

  private static ApiException tooMany() {
    return new ApiException(
        429,
        "TooManyRequests",
        "Too many requests, please try again later.",
        Tree.of("retryAfterSeconds", 1));
  }
}
