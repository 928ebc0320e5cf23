package io.berth.store;

import java.time.Duration;

/// How much history is kept for watches and for lists at a revision.
///
/// Changes older than `age` are forgotten; younger ones only when there are more than `changes`, or
/// when their encoded objects take more than `bytes`.
public record Retention(Duration age, int changes, long bytes) {

  public static final Retention DEFAULT =
      new Retention(Duration.ofMinutes(10), 200_000, 128L << 20);
}
