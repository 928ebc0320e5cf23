package io.berth.admission;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A value made of stored objects when it is asked for, and made again once they were written.
///
/// Safe for many threads. Of a write that comes while the value is made, the next question knows.
public final class Derived<T> {

  private final AtomicLong writes = new AtomicLong();
  private volatile @Nullable Made<T> made;

  private record Made<T>(long writes, T value) {}

  /// To be called when one of the objects was written.
  public void outdate() {
    writes.incrementAndGet();
  }

  /// `maker` is handed the value that was made before, if any.
  public T get(Function<@Nullable T, T> maker) {
    var current = made;
    // Counted before the objects are read: what is written meanwhile makes this one outdated.
    long now = writes.get();
    if (current == null || current.writes != now) {
      current = new Made<>(now, maker.apply(current == null ? null : current.value));
      made = current;
    }
    return current.value;
  }
}
