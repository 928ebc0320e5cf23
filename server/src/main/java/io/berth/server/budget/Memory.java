package io.berth.server.budget;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/// The bytes that requests of the whole process may hold at once, on whatever port they came.
public final class Memory {

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final Budget budget;
  private final AtomicLongArray uses = new AtomicLongArray(Use.COUNT);
  private final Object released = new Object();
  private final AtomicInteger waiting = new AtomicInteger();

  public Memory(Budget budget) {
    this.budget = budget;
  }

  /// Charges `owner`, or throws the refusal.
  ///
  /// One who asks for too much waits a little: somebody known for others of their own requests, a
  /// stranger for those to end who have been here for longer.
  void take(Owner owner, Use use, long bytes, Visitor.Host host) {
    if (bytes > budget.largestPart()) {
      throw tooMuch(bytes);
    }
    if (!budget.offer(owner, bytes) && !await(owner, bytes, host)) {
      budget.refused(owner);
      throw tooLittleLeft();
    }
    uses.addAndGet(use.index(), bytes);
  }

  /// Charges `owner` for what cannot be refused any more.
  void force(Owner owner, Use use, long bytes) {
    budget.force(owner, bytes);
    uses.addAndGet(use.index(), bytes);
  }

  /// Whether `owner` is now charged; nobody waits, and nobody is refused yet.
  boolean offer(Owner owner, Use use, long bytes) {
    boolean taken = budget.offer(owner, bytes);
    if (taken) {
      uses.addAndGet(use.index(), bytes);
    }
    return taken;
  }

  /// The same for the last time: not to be charged is a refusal.
  public boolean takeNow(Owner owner, Use use, long bytes) {
    boolean taken = budget.take(owner, bytes);
    if (taken) {
      uses.addAndGet(use.index(), bytes);
    }
    return taken;
  }

  private boolean await(Owner owner, long bytes, Visitor.Host host) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    waiting.incrementAndGet();
    try {
      while (System.nanoTime() < end) {
        if (owner.isStranger()) {
          host.makeRoom();
        }
        synchronized (released) {
          if (budget.offer(owner, bytes)) {
            return true;
          }
          released.wait(LOOK_AGAIN.toMillis());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting.decrementAndGet();
    }
    return false;
  }

  public void release(Owner owner, Use use, long bytes) {
    budget.release(owner, bytes);
    uses.addAndGet(use.index(), -bytes);
    if (waiting.get() > 0) {
      synchronized (released) {
        released.notifyAll();
      }
    }
  }

  public Budget budget() {
    return budget;
  }

  public long inUse(Use use) {
    return uses.get(use.index());
  }

  private static ApiException tooLittleLeft() {
    return new ApiException(
        429,
        "TooManyRequests",
        "Your requests hold too much memory, please try again later.",
        Tree.of("retryAfterSeconds", 1));
  }

  private ApiException tooMuch(long bytes) {
    return new ApiException(
        413,
        "RequestEntityTooLarge",
        "this would take about %d MiB of memory and the limit is %d; ask for less at a time, with `limit`"
            .formatted(bytes >> 20, budget.largestPart() >> 20));
  }
}
