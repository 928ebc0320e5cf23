package io.berth.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that stands still until it is moved.
public final class FakeClock implements InstantSource {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong nanosBehind = new AtomicLong();

  @Override
  public Instant instant() {
    return START.plusNanos(nanos.get() - nanosBehind.get());
  }

  /// Monotonic time.
  public long nanos() {
    return nanos.get();
  }

  public void advance(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  /// Somebody sets the clock on the wall back; monotonic time goes on.
  public void setBack(Duration by) {
    nanosBehind.addAndGet(by.toNanos());
  }
}
