package io.berth.server.http;

/// Runs an action once the client has left, or at once when it already has.
final class CloseSignal {

  private boolean closed;
  private @org.jspecify.annotations.Nullable Runnable action;

  void onClose(Runnable wanted) {
    synchronized (this) {
      action = wanted;
      if (!closed) {
        return;
      }
    }
    wanted.run();
  }

  void close() {
    Runnable due;
    synchronized (this) {
      due = closed ? null : action;
      closed = true;
    }
    if (due != null) {
      due.run();
    }
  }
}
