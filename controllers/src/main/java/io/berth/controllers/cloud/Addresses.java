package io.berth.controllers.cloud;

import io.berth.controllers.runtime.Key;
import java.util.HashMap;
import java.util.Map;

/// Which Service has which address: each address one Service, each Service one address.
///
/// New ones come from a range that networks leave to measurements (RFC 2544), so that none of them
/// is anybody's. For one thread.
final class Addresses {

  static final String RANGE = "198.18.0.0/16";

  /// Of everything that has no address of its own: the first of the range.
  static final String SHARED = "198.18.0.1";

  private static final int FIRST = 2;
  private static final int LAST = (1 << 16) - 2;

  private final Map<String, Key> holders = new HashMap<>();
  private final Map<Key, String> held = new HashMap<>();
  private int next = FIRST;

  /// The holder of `address` is `key` from now on, and of no other; `false` when somebody else has
  /// it, or it is none.
  boolean hold(String address, Key key) {
    if (address.isEmpty() || address.equals(SHARED)) {
      return false;
    }
    var holder = holders.putIfAbsent(address, key);
    if (holder != null && !holder.equals(key)) {
      return false;
    }
    var before = held.put(key, address);
    if (before != null && !before.equals(address)) {
      holders.remove(before);
    }
    return true;
  }

  /// The address that `key` has, or the next free one; empty when all are taken.
  String take(Key key) {
    var own = held.get(key);
    if (own != null) {
      return own;
    }
    for (int tried = FIRST; tried <= LAST; tried++) {
      var address = "198.18.%d.%d".formatted(next >> 8, next & 255);
      next = next == LAST ? FIRST : next + 1;
      if (hold(address, key)) {
        return address;
      }
    }
    return "";
  }

  /// Whether `key` had an address, which is free now.
  boolean release(Key key) {
    var address = held.remove(key);
    return address != null && holders.remove(address) != null;
  }
}
