package io.berth.store;

import java.time.Duration;

/// How much history is kept for watches and for lists at a revision.
///
/// Changes older than `age` are forgotten, except for the newest `fewest`; younger ones only when
/// there are more than `most`, or when their objects take more than `bytes` as JSON, which is about
/// right for what nobody has encoded yet.
public record Retention(Duration age, int fewest, int most, long bytes) {

  public static final Retention DEFAULT =
      new Retention(Duration.ofMinutes(5), 100, 200_000, 128L << 20);
}
