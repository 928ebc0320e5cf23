package io.berth.quota;

/// A resource that quotas count, and the least amount of it that is dealt out as fair share.
public enum Counted {
  /// In thousandths of a device; shares are whole devices.
  GPU(1000),
  /// In thousandths of a core.
  CPU(1),
  /// In bytes.
  MEMORY(1);

  public static final int COUNT = 3;

  private final long unit;

  Counted(long unit) {
    this.unit = unit;
  }

  public long unit() {
    return unit;
  }
}
