package io.berth.api;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// Where what is random by nature comes from: uids, generated names, addresses.
///
/// Ordinarily from the source that the caller prefers. Within [#by] all of it comes from one
/// generator, so that a cluster in virtual time repeats to the letter.
public final class Chance {

  private static final ScopedValue<RandomGenerator> SOURCE = ScopedValue.newInstance();

  private Chance() {}

  /// Does `work`; what is random on its thread comes from `source`.
  public static <T> T by(RandomGenerator source, Supplier<T> work) {
    return ScopedValue.where(SOURCE, source).call(work::get);
  }

  public static boolean isGiven() {
    return SOURCE.isBound();
  }

  /// The generator that was given, or else this one.
  public static RandomGenerator or(RandomGenerator preferred) {
    return SOURCE.orElse(preferred);
  }
}
