package io.berth.answers.source;

/// Amounts of resources as people write them, from the units in which the engine counts.
public final class Amounts {

  private static final long MEBI = 1 << 20;
  private static final long GIBI = 1 << 30;

  private Amounts() {}

  /// `1500m` of cpu, which counts in thousandths; `2Gi` of memory; exact, whatever it takes.
  public static String shown(String resource, long amount) {
    if (resource.equals("cpu")) {
      return amount % 1000 == 0 ? String.valueOf(amount / 1000) : amount + "m";
    }
    if (amount >= GIBI && amount % GIBI == 0) {
      return amount / GIBI + "Gi";
    }
    return amount >= MEBI && amount % MEBI == 0 ? amount / MEBI + "Mi" : String.valueOf(amount);
  }
}
