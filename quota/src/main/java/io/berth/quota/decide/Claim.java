package io.berth.quota.decide;

import io.berth.quota.Counted;
import java.util.Arrays;
import java.util.Comparator;

/// How good a claim a queue has to be served next; the worst claim loses what it has first.
///
/// First come queues that are not beyond their fair share in everything, then those that stay
/// within what they deserve, then the higher rank, then those that use nothing of which they have
/// no share, then the smaller dominant share: with what is asked for, then without. At last the
/// smaller share, then the older queue.
record Claim(
    boolean beyond,
    boolean withinDeserved,
    int rank,
    boolean withoutShare,
    Ratio with,
    Ratio without,
    long[] share,
    int order) {

  private static final long[] NOTHING = new long[Counted.COUNT];

  static final Comparator<Claim> ORDER =
      Comparator.comparing(Claim::beyond)
          .thenComparing(Claim::withinDeserved, Comparator.reverseOrder())
          .thenComparing(Claim::rank, Comparator.reverseOrder())
          .thenComparing(Claim::withoutShare)
          .thenComparing(Claim::with)
          .thenComparing(Claim::without)
          .thenComparing(Claim::share, Arrays::compare)
          .thenComparingInt(Claim::order);

  /// The claim of a queue that gets `asked` and loses `lost`.
  static Claim of(Queue queue, long[] asked, long[] lost) {
    return new Claim(
        queue.isBeyondFairShare(),
        queue.staysWithin(queue.deserved, asked),
        queue.rank,
        queue.usesWithoutShare(asked),
        queue.dominantShare(asked, lost),
        queue.dominantShare(NOTHING, NOTHING),
        queue.allocatable,
        queue.order);
  }
}
