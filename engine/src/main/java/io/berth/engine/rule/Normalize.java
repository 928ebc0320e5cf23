package io.berth.engine.rule;

/// The normalisation most score plugins share: in proportion to the highest raw score.
public final class Normalize {

  public static final long MAX_SCORE = 100;

  private Normalize() {}

  /// Highest becomes 100; when all are 0 they stay 0.
  public static void byMax(long[] scores) {
    long max = max(scores);
    for (int i = 0; i < scores.length; i++) {
      scores[i] = byMax(scores[i], max);
    }
  }

  /// Highest becomes 0 and 0 becomes 100.
  public static void byMaxReversed(long[] scores) {
    long max = max(scores);
    for (int i = 0; i < scores.length; i++) {
      scores[i] = byMaxReversed(scores[i], max);
    }
  }

  public static long byMax(long raw, long max) {
    return max == 0 ? raw : MAX_SCORE * raw / max;
  }

  public static long byMaxReversed(long raw, long max) {
    return max == 0 ? MAX_SCORE : MAX_SCORE - MAX_SCORE * raw / max;
  }

  private static long max(long[] scores) {
    long max = 0;
    for (long score : scores) {
      max = Math.max(max, score);
    }
    return max;
  }
}
