package io.berth.store;

/// A data folder cannot be opened: it is in use, not ours, of a newer version, or the disk refuses.
public final class UnusableFolderException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public UnusableFolderException(String message) {
    super(message);
  }

  public UnusableFolderException(String message, Throwable cause) {
    super(message, cause);
  }
}
