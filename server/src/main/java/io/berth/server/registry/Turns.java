package io.berth.server.registry;

import io.berth.server.Limits;
import io.berth.store.Key;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Lets those who write to one object at once take turns, as soon as one of them has lost.
///
/// Every write to disk has one winner, and all others compute again. When many write to the same
/// object, the unlucky would lose until they give up. Those who wait do not wait for long: a
/// webhook may itself write to what its caller holds.
final class Turns {

  private static final int LINES = 256;

  private final ReentrantLock[] lines = new ReentrantLock[LINES];

  Turns() {
    for (int i = 0; i < LINES; i++) {
      lines[i] = new ReentrantLock(true);
    }
  }

  /// Queues behind those who try again, if there are any.
  Turn of(Key key) {
    var turn = new Turn(lines[Math.floorMod(key.hashCode(), LINES)]);
    if (turn.line.isLocked()) {
      turn.take();
    }
    return turn;
  }

  /// One writer's place; to be closed by the thread that took it.
  static final class Turn implements AutoCloseable {

    private final ReentrantLock line;
    private boolean mine;

    private Turn(ReentrantLock line) {
      this.line = line;
    }

    /// Waits for the others before the next attempt.
    void take() {
      if (mine) {
        return;
      }
      try {
        mine = line.tryLock(Limits.TURN.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      if (mine) {
        line.unlock();
      }
    }
  }
}
