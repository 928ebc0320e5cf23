package io.berth.scheduler;

import io.berth.api.Crew;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/// Hands steps from any thread to the loop's thread, in order.
final class Inbox {

  /// Steps that may wait before a feed has to: a list of a large cluster comes faster than it is
  /// taken in.
  private static final int LIMIT = 1 << 16;

  private final LinkedBlockingQueue<Consumer<World>> steps;
  private volatile Runnable listener = () -> {};

  Inbox(Crew crew) {
    // Where nobody can take anything in meanwhile, nobody can wait either.
    this.steps = new LinkedBlockingQueue<>(crew.isAlone() ? Integer.MAX_VALUE : LIMIT);
  }

  /// Hears that there is something to take in.
  void onFilled(Runnable hears) {
    listener = hears;
  }

  LinkedBlockingQueue<Consumer<World>> steps() {
    return steps;
  }

  void add(Consumer<World> step) {
    try {
      steps.put(step);
      listener.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
