package io.berth.server.metrics;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/// Durations, counted twice: by kube-apiserver's upper bounds, and in the finer buckets of native
/// histograms, each a [#GROWTH] wider than the one before.
public final class Histogram {

  /// Eight buckets between a power of two and the next: the schema that Kubernetes' bucket factor
  /// of 1.1 leads to.
  static final int SCHEMA = 3;

  /// At most this long, in seconds, counts as nothing.
  static final double ZERO = 0x1p-14;

  private static final double[] BOUNDS = {
    0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30,
    45, 60
  };

  /// The native bucket `i` holds what is longer than `GROWTH^(i-1)` seconds, up to `GROWTH^i`.
  private static final double GROWTH = Math.pow(2, 1.0 / (1 << SCHEMA));

  private static final int FIRST = -14 << SCHEMA;
  private static final int LAST = 10 << SCHEMA;

  private final LongAdder[] counts = new LongAdder[BOUNDS.length + 1];
  private final AtomicLongArray natives = new AtomicLongArray(LAST - FIRST + 1);
  private final LongAdder nanos = new LongAdder();

  public Histogram() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  public void add(long took) {
    int bucket = 0;
    while (bucket < BOUNDS.length && took > BOUNDS[bucket] * 1e9) {
      bucket++;
    }
    counts[bucket].increment();
    natives.incrementAndGet(nativeBucket(took / 1e9) - FIRST);
    nanos.add(took);
  }

  /// The first one also takes what is shorter, as nothing; no request lasts beyond the last.
  private static int nativeBucket(double seconds) {
    if (seconds <= ZERO) {
      return FIRST;
    }
    int near = (int) Math.ceil(Math.log(seconds) / Math.log(GROWTH));
    return Math.clamp(near, FIRST + 1, LAST);
  }

  static int bounds() {
    return BOUNDS.length;
  }

  static double bound(int i) {
    return BOUNDS[i];
  }

  /// How many lie between the bound before and bound `i`; after the last, above all bounds.
  long count(int i) {
    return counts[i].sum();
  }

  double seconds() {
    return nanos.sum() / 1e9;
  }

  long zeros() {
    return natives.get(0);
  }

  static int firstNative() {
    return FIRST + 1;
  }

  static int lastNative() {
    return LAST;
  }

  long nativeCount(int bucket) {
    return natives.get(bucket - FIRST);
  }
}
