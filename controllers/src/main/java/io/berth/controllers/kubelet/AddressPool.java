package io.berth.controllers.kubelet;

import java.util.BitSet;

/// Hands out IPv4 addresses of one range, each to one holder at a time, next fit.
///
/// All methods take the pool's lock. When the range is used up the oldest address is handed out
/// again: a simulated network routes nothing, so that is better than a pod that cannot start.
final class AddressPool {

  private final long base;
  private final int size;
  private final BitSet taken = new BitSet();
  private int next;

  /// `10.128.0.0/9` is `new AddressPool("10.128.0.0", 1 << 23)`.
  AddressPool(String base, int size) {
    this.base = number(base);
    this.size = size;
    taken.set(0);
  }

  synchronized String take() {
    var free = taken.nextClearBit(next);
    if (free >= size) {
      free = taken.nextClearBit(1);
    }
    if (free >= size) {
      free = 1 + next % (size - 1);
    }
    taken.set(free);
    next = free + 1;
    return text(base + free);
  }

  /// Marks an address as held, when it is of this range.
  synchronized void claim(String address) {
    var offset = number(address) - base;
    if (offset >= 0 && offset < size) {
      taken.set((int) offset);
    }
  }

  synchronized void release(String address) {
    var offset = number(address) - base;
    if (offset > 0 && offset < size) {
      taken.clear((int) offset);
    }
  }

  private static long number(String address) {
    var parts = address.split("\\.", -1);
    if (parts.length != 4) {
      return -1;
    }
    long number = 0;
    for (var part : parts) {
      if (!part.matches("\\d{1,3}")) {
        return -1;
      }
      number = number * 256 + Long.parseLong(part);
    }
    return number;
  }

  private static String text(long number) {
    return "%d.%d.%d.%d"
        .formatted(number >> 24 & 255, number >> 16 & 255, number >> 8 & 255, number & 255);
  }
}
