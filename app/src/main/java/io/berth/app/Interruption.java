package io.berth.app;

import java.time.Duration;

/// Ctrl-C and SIGTERM run hooks and then end the process: the hook lets main clean up first.
final class Interruption {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static volatile boolean underWay;

  private Interruption() {}

  /// Called by main, which `stop` makes go on and clean up.
  static void stopsBy(Runnable stop) {
    var main = Thread.currentThread();
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .unstarted(() -> {
                  underWay = true;
                  stop.run();
                  join(main);
                }));
  }

  private static void join(Thread main) {
    try {
      main.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whether the process ends when main does: to ask for its end then would wait for the hook,
  /// which waits for main.
  static boolean isUnderWay() {
    return underWay;
  }
}
