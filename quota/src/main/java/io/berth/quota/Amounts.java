package io.berth.quota;

/// How much of each [Counted] resource: of a request, of what is allocated, of a share.
public record Amounts(long gpuMillis, long cpuMillis, long memoryBytes) {

  public static final Amounts ZERO = new Amounts(0, 0, 0);

  public long of(Counted resource) {
    return switch (resource) {
      case GPU -> gpuMillis;
      case CPU -> cpuMillis;
      case MEMORY -> memoryBytes;
    };
  }

  public Amounts plus(Amounts other) {
    return new Amounts(
        add(gpuMillis, other.gpuMillis),
        add(cpuMillis, other.cpuMillis),
        add(memoryBytes, other.memoryBytes));
  }

  /// Sums stay at the largest number instead of turning negative.
  public static long add(long a, long b) {
    long sum = a + b;
    return ((a ^ sum) & (b ^ sum)) < 0 ? Long.MAX_VALUE : sum;
  }
}
