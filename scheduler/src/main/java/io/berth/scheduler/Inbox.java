package io.berth.scheduler;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/// Hands steps from any thread to the loop's thread, in order.
final class Inbox {

  /// Steps that may wait before a feed has to: a list of a large cluster comes faster than it is
  /// taken in.
  private static final int LIMIT = 1 << 16;

  private final LinkedBlockingQueue<Consumer<World>> steps = new LinkedBlockingQueue<>(LIMIT);

  LinkedBlockingQueue<Consumer<World>> steps() {
    return steps;
  }

  void add(Consumer<World> step) {
    try {
      steps.put(step);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
