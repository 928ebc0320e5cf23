package io.berth.quota;

/// What a department or project is entitled to in one node pool.
///
/// Units of a higher `rank` are served completely, beyond their deserved quota too, before those of
/// a lower one get anything beyond theirs.
public record Quota(Entitlement gpu, Entitlement cpu, Entitlement memory, int rank) {

  public static final int DEFAULT_RANK = 100;

  /// What a unit has in a pool nobody set anything for: no guaranteed GPU, all else without bounds.
  public static final Quota DEFAULT =
      new Quota(Entitlement.SHARING, Entitlement.OPEN, Entitlement.OPEN, DEFAULT_RANK);

  public Entitlement of(Counted resource) {
    return switch (resource) {
      case GPU -> gpu;
      case CPU -> cpu;
      case MEMORY -> memory;
    };
  }

  /// `deserved` is guaranteed, `limit` is never exceeded, and what others leave unused is shared in
  /// proportion to `weightMillis`; weight 0 means no share beyond what is deserved, only use of
  /// what is idle. Amounts are in the units of [Counted].
  public record Entitlement(long deserved, long limit, long weightMillis) {

    public static final long UNLIMITED = Long.MAX_VALUE;
    public static final long DEFAULT_WEIGHT_MILLIS = 2000;

    static final Entitlement SHARING = new Entitlement(0, UNLIMITED, DEFAULT_WEIGHT_MILLIS);
    public static final Entitlement OPEN =
        new Entitlement(UNLIMITED, UNLIMITED, DEFAULT_WEIGHT_MILLIS);

    public Entitlement {
      if (deserved < 0 || limit < 0 || weightMillis < 0) {
        throw new IllegalArgumentException(
            "deserved %d, limit %d and weight %d must not be negative; use UNLIMITED for no bound"
                .formatted(deserved, limit, weightMillis));
      }
    }
  }
}
