package io.berth.quota;

/// A resource that quotas count, and the least amount of it that is dealt out as fair share.
public enum Counted {
  /// In thousandths of a device; shares are whole devices.
  GPU(0, 1000),
  /// In thousandths of a core.
  CPU(1, 1),
  /// In bytes.
  MEMORY(2, 1);

  public static final int COUNT = 3;

  private final int index;
  private final long unit;

  Counted(int index, long unit) {
    this.index = index;
    this.unit = unit;
  }

  /// Where arrays of amounts keep this resource; below [#COUNT].
  public int index() {
    return index;
  }

  public long unit() {
    return unit;
  }
}
