package io.berth.store;

/// What lies on disk is not what was written. The message says where; nothing has been changed.
public final class CorruptStoreException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public CorruptStoreException(String message) {
    super(message);
  }

  public CorruptStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
