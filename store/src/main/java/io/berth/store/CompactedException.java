package io.berth.store;

/// The asked revision is older than what is retained.
public final class CompactedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final long oldest;

  public CompactedException(long asked, long oldest) {
    super("revision %d is no longer retained; the oldest is %d".formatted(asked, oldest));
    this.oldest = oldest;
  }

  public long oldest() {
    return oldest;
  }
}
