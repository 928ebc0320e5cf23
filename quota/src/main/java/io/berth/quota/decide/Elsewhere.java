package io.berth.quota.decide;

/// What could find a place besides its own, as far as devices go and if nobody else gives way.
///
/// `devices` are free on one node at most, and `micros` of one device that is shared.
record Elsewhere(int devices, long micros) {

  boolean takes(Unit unit) {
    return takes(unit.largestPod, unit.largestPart);
  }

  /// A pod with so many devices, and one with such a part of a device.
  boolean takes(int pod, long part) {
    return pod <= devices && (part <= micros || devices > 0);
  }
}
