package io.berth.engine.model;

/// What a pod asks of a node, in the units of the node's columns.
///
/// `nonZeroCpuMillis` and `nonZeroMemoryBytes` count containers that ask for nothing as if they
/// asked for a little; only scoring uses them. Scalars are in the order of their names.
public record Requests(
    long cpuMillis,
    long memoryBytes,
    long ephemeralBytes,
    long nonZeroCpuMillis,
    long nonZeroMemoryBytes,
    int[] scalars,
    long[] scalarAmounts) {

  /// The amount of a scalar resource, 0 when it is not asked for.
  public long scalar(int resource) {
    for (int i = 0; i < scalars.length; i++) {
      if (scalars[i] == resource) {
        return scalarAmounts[i];
      }
    }
    return 0;
  }
}
