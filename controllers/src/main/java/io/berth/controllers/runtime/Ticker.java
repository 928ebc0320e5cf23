package io.berth.controllers.runtime;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Does something again and again, never twice at once: the next pause begins when it is done.
public final class Ticker implements AutoCloseable {

  private static final Key TICK = new Key("", "tick");

  private final Loop loop;
  private final Duration every;

  /// Routine.
  public Ticker(String name, Duration every, Timers timers, Runnable task) {
    this(
        name,
        every,
        timers,
        () -> {
          task.run();
          return false;
        });
  }

  /// `task` tells whether the next round has work to do for certain; else it is routine.
  public Ticker(String name, Duration every, Timers timers, BooleanSupplier task) {
    this.every = every;
    this.loop = new Loop(name, 1, timers, _ -> runAndRepeat(task));
  }

  public void start() {
    loop.start();
    loop.addRoutinely(TICK, every);
  }

  @Override
  public void close() {
    loop.close();
  }

  private void runAndRepeat(BooleanSupplier task) {
    // When it fails the loop calls again, soon.
    if (task.getAsBoolean()) {
      loop.addAfter(TICK, every);
    } else {
      loop.addRoutinely(TICK, every);
    }
  }
}
