package io.berth.engine.rule;

/// How a raw score becomes one from 0 to 100, given the least and the most of all feasible nodes.
@FunctionalInterface
public interface Normalization {

  long MAX_SCORE = 100;

  /// For scores that are from 0 to 100 already.
  Normalization NONE = (raw, _, _) -> raw;

  /// The highest becomes 100; when none is above 0 they stay as they are.
  Normalization BY_MAX = (raw, _, most) -> most <= 0 ? raw : MAX_SCORE * raw / most;

  /// The highest becomes 0 and 0 becomes 100.
  Normalization BY_MAX_REVERSED =
      (raw, _, most) -> most <= 0 ? MAX_SCORE : MAX_SCORE - MAX_SCORE * raw / most;

  /// The lowest becomes 0 and the highest 100; when all are equal they are 0.
  Normalization BY_RANGE =
      (raw, least, most) ->
          most == least
              ? 0
              : (long) (MAX_SCORE * ((double) (raw - least) / (double) (most - least)));

  long of(long raw, long least, long most);

  /// Normalises the scores of all feasible nodes, in place.
  default void all(long[] scores) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (long score : scores) {
      least = Math.min(least, score);
      most = Math.max(most, score);
    }
    for (int i = 0; i < scores.length; i++) {
      scores[i] = of(scores[i], least, most);
    }
  }
}
