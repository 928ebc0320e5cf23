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

  static final Comparator<Claim> ORDER = Claim::compare;

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

  /// The claim of a queue to have back the last of what it had; no better than to anything before.
  static Claim back(Queue queue, long[] last) {
    return new Claim(
        queue.isBeyondFairShare(),
        queue.staysWithin(queue.deserved, NOTHING),
        queue.rank,
        queue.usesWithoutShare(NOTHING),
        queue.dominantShare(NOTHING, NOTHING),
        queue.dominantShare(NOTHING, last),
        queue.allocatable,
        queue.order);
  }

  // Plain steps, since this is asked several times for every gang.
  private static int compare(Claim a, Claim b) {
    if (a.beyond != b.beyond) {
      return Boolean.compare(a.beyond, b.beyond);
    }
    if (a.withinDeserved != b.withinDeserved) {
      return Boolean.compare(b.withinDeserved, a.withinDeserved);
    }
    if (a.rank != b.rank) {
      return Integer.compare(b.rank, a.rank);
    }
    if (a.withoutShare != b.withoutShare) {
      return Boolean.compare(a.withoutShare, b.withoutShare);
    }
    int byUse = a.with.compareTo(b.with);
    byUse = byUse == 0 ? a.without.compareTo(b.without) : byUse;
    byUse = byUse == 0 ? Arrays.compare(a.share, b.share) : byUse;
    return byUse == 0 ? Integer.compare(a.order, b.order) : byUse;
  }
}
