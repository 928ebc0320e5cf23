package io.berth.quota.decide;

/// Some who lose together for an ask, and how many thousandths of devices they can lose at most.
///
/// A side loses as long as it is beyond some measure before each loss: so at most what it is beyond
/// by, and the rest of its last loss.
final class Side {

  static final Side WITHOUT_LOSS = new Side(0, true);
  static final Side WITHOUT_BOUND = new Side(Long.MAX_VALUE, false);

  private final long beyond;

  /// Whether it has the better claim to all it has: what is taken of it goes back before the ask
  /// is placed, as long as nothing is taken of others.
  final boolean comesFirst;

  Side(long beyond, boolean comesFirst) {
    this.beyond = beyond;
    this.comesFirst = comesFirst;
  }

  /// If no single loss is more than `largest`.
  long mostLost(long largest) {
    if (beyond <= 0) {
      return 0;
    }
    return beyond == Long.MAX_VALUE ? beyond : beyond - 1 + largest;
  }
}
