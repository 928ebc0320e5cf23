package io.berth.scheduler;

/// A request that tells of something, until it is sent or there is nothing to tell any more.
final class Report {

  private final Runnable request;
  private final long madeAtNanos;
  private boolean withdrawn;
  private volatile boolean over;

  Report(Runnable request, long nowNanos) {
    this.request = request;
    this.madeAtNanos = nowNanos;
  }

  synchronized void send() {
    if (!withdrawn) {
      request.run();
    }
    over = true;
  }

  /// It is not sent from now on; waits for the answer when it is being sent.
  synchronized void withdraw() {
    withdrawn = true;
  }

  long ageNanos(long nowNanos) {
    return nowNanos - madeAtNanos;
  }

  boolean isOver() {
    return over;
  }
}
