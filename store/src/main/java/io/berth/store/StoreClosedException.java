package io.berth.store;

/// The store has been closed.
public final class StoreClosedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public StoreClosedException() {
    super("the store is closed");
  }
}
