package io.berth.api;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Work that is done after each call, never twice at once; calls while it is waiting to be done
/// become one.
///
/// What the work sees includes everything that happened before the call. Between calls it costs no
/// thread.
public final class Errand {

  private static final int IDLE = 0;
  private static final int CALLED = 1;
  private static final int RUNNING = 2;
  private static final int AGAIN = 3;

  private final Crew crew;
  private final String name;
  private final Runnable work;
  private final AtomicInteger state = new AtomicInteger(IDLE);
  private volatile @Nullable Thread runner;

  public Errand(Crew crew, String name, Runnable work) {
    this.crew = crew;
    this.name = name;
    this.work = work;
  }

  public void call() {
    if (state.getAndUpdate(Errand::called) == IDLE) {
      crew.start(name, this::run);
    }
  }

  /// Interrupts the work if it is being done right now.
  public void interrupt() {
    var running = runner;
    if (running != null) {
      running.interrupt();
    }
  }

  private static int called(int state) {
    return switch (state) {
      case IDLE -> CALLED;
      case RUNNING -> AGAIN;
      default -> state;
    };
  }

  private void run() {
    try {
      do {
        state.set(RUNNING);
        runner = Thread.currentThread();
        work.run();
        runner = null;
      } while (!state.compareAndSet(RUNNING, IDLE));
    } catch (RuntimeException | Error e) {
      runner = null;
      state.set(IDLE);
      throw e;
    }
  }
}
