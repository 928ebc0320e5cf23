package io.berth.quota.decide;

/// How much of a share is used, compared exactly. A use of a share of nothing is beyond all others.
record Ratio(long used, long share) implements Comparable<Ratio> {

  static final Ratio NOTHING = new Ratio(0, 1);

  static Ratio of(long used, long share) {
    return used == 0 ? NOTHING : new Ratio(used, share);
  }

  /// Compares `used / share` by cross multiplication in 128 bits.
  @Override
  public int compareTo(Ratio other) {
    long high = Math.multiplyHigh(used, other.share);
    long otherHigh = Math.multiplyHigh(other.used, share);
    if (share == 0 && other.share == 0) {
      return Long.compare(used, other.used);
    }
    return high != otherHigh
        ? Long.compare(high, otherHigh)
        : Long.compareUnsigned(used * other.share, other.used * share);
  }

  Ratio max(Ratio other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
