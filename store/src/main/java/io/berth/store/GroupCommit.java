package io.berth.store;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Commits for a store on disk: while one batch is being synced, the next one fills.
///
/// One thread appends batch after batch to the ledger and then publishes it, so that a revision
/// becomes visible only when it is durable, and in order. A batch that nobody waits for lingers a
/// little, to share its sync with what follows.
final class GroupCommit implements Commits {

  private static final Duration LINGER = Duration.ofMillis(5);

  /// Whoever adds to a batch of this size waits for it, even if it did not want to.
  private static final int FULL = 10_000;

  private final Ledger ledger;
  private final Timeline timeline;
  private final Forgotten forgotten;
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Thread thread;

  // Guarded by lock.
  private Batch open = new Batch();
  private Batch latest = open;
  private boolean closing;
  private @Nullable StoreFailedException failure;

  GroupCommit(Ledger ledger, Timeline timeline, Forgotten forgotten, InstantSource clock) {
    this.ledger = ledger;
    this.timeline = timeline;
    this.forgotten = forgotten;
    this.clock = clock;
    this.latest.done.countDown();
    this.open = new Batch();
    this.thread = Thread.ofPlatform().daemon().name("store commit").start(this::run);
  }

  @Override
  public Ticket add(List<Change> changes, State after) {
    lock.lock();
    try {
      if (failure != null) {
        throw new StoreFailedException(String.valueOf(failure.getMessage()), failure);
      }
      open.changes.addAll(changes);
      open.after = after;
      latest = open;
      work.signal();
      return open;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Ticket latest() {
    lock.lock();
    try {
      return latest;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isDurable() {
    return true;
  }

  @Override
  public boolean isWritable() {
    lock.lock();
    try {
      return failure == null;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    for (var batch = next(); batch != null; batch = next()) {
      try {
        ledger.append(batch.changes, clock.millis(), forgotten.drain());
        timeline.publish(batch.changes, batch.state(), clock.millis());
        batch.done.countDown();
      } catch (RuntimeException | Error e) {
        fail(batch, e);
      }
    }
  }

  /// The next batch that is worth a sync; `null` when there will be none.
  private @Nullable Batch next() {
    lock.lock();
    try {
      long patience = LINGER.toNanos();
      while (!closing && !open.wanted && (open.changes.isEmpty() || patience > 0)) {
        if (open.changes.isEmpty()) {
          work.awaitUninterruptibly();
        } else {
          patience = work.awaitNanos(patience);
        }
      }
      if (open.changes.isEmpty()) {
        return null;
      }
      var batch = open;
      open = new Batch();
      return batch;
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the thread that commits", e);
    } finally {
      lock.unlock();
    }
  }

  private void fail(Batch batch, Throwable cause) {
    var refusal =
        cause instanceof StoreFailedException failed
            ? failed
            : new StoreFailedException("the store failed: " + cause.getMessage(), cause);
    lock.lock();
    try {
      failure = refusal;
      batch.fail(refusal);
      open.fail(refusal);
      open = new Batch();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    join();
    ledger.close();
  }

  private void join() {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Changes that share a sync.
  private final class Batch implements Ticket {
    // Guarded by lock until the batch is taken, then owned by the committing thread.
    final List<Change> changes = new ArrayList<>();
    @Nullable State after;
    boolean wanted;

    final CountDownLatch done = new CountDownLatch(1);
    volatile @Nullable StoreFailedException failure;

    State state() {
      return Objects.requireNonNull(after);
    }

    void fail(StoreFailedException cause) {
      failure = cause;
      done.countDown();
    }

    @Override
    public boolean isFull() {
      return changes.size() >= FULL;
    }

    @Override
    public void await() {
      if (done.getCount() > 0) {
        want();
        awaitDone();
      }
      var cause = failure;
      if (cause != null) {
        throw new StoreFailedException(String.valueOf(cause.getMessage()), cause);
      }
    }

    private void want() {
      lock.lock();
      try {
        wanted = true;
        work.signal();
      } finally {
        lock.unlock();
      }
    }

    private void awaitDone() {
      boolean interrupted = false;
      while (true) {
        try {
          done.await();
          break;
        } catch (InterruptedException e) {
          // The write is under way, and its outcome must be told.
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
