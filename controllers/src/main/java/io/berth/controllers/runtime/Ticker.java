package io.berth.controllers.runtime;

import java.time.Duration;

/// Does something again and again, never twice at once: the next pause begins when it is done.
public final class Ticker implements AutoCloseable {

  private static final Key TICK = new Key("", "tick");

  private final Loop loop;
  private final Duration every;

  public Ticker(String name, Duration every, Timers timers, Runnable task) {
    this.every = every;
    this.loop = new Loop(name, 1, timers, _ -> runAndRepeat(task));
  }

  public void start() {
    loop.start();
    loop.addAfter(TICK, every);
  }

  @Override
  public void close() {
    loop.close();
  }

  private void runAndRepeat(Runnable task) {
    task.run(); // When it fails the loop calls again, soon.
    loop.addAfter(TICK, every);
  }
}
