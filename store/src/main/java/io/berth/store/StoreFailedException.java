package io.berth.store;

/// The disk refused a write. The store can still be read, and accepts no write until it is opened
/// again: after a failed sync nobody knows what the disk holds.
public final class StoreFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public StoreFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
