package io.berth.kinds.networking;

import io.berth.kinds.meta.IpAddresses;

/// Blocks of addresses, compared.
final class Blocks {

  private Blocks() {}

  /// Whether the first block is a part of the second and not all of it.
  static boolean isStrictlyWithin(String part, String whole) {
    int partSlash = part.indexOf('/');
    int wholeSlash = whole.indexOf('/');
    if (partSlash < 0 || wholeSlash < 0) {
      return false;
    }
    var address = IpAddresses.parse(part.substring(0, partSlash));
    var network = IpAddresses.parse(whole.substring(0, wholeSlash));
    int bits = Integer.parseInt(whole.substring(wholeSlash + 1));
    if (address == null || network == null || address.length != network.length) {
      return false;
    }
    if (bits >= Integer.parseInt(part.substring(partSlash + 1))) {
      return false;
    }
    for (int i = 0; i < bits; i++) {
      int mask = 0x80 >> (i % 8);
      if ((address[i / 8] & mask) != (network[i / 8] & mask)) {
        return false;
      }
    }
    return true;
  }
}
