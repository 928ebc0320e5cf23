package io.berth.schema.cel;

import io.berth.schema.IpBytes;
import org.jspecify.annotations.Nullable;

/// A block of IP addresses: `10.0.0.0/8`.
record IpBlock(IpAddress address, int prefix) {

  static @Nullable IpBlock parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return null;
    }
    var address = IpAddress.parse(text.substring(0, slash));
    var digits = text.substring(slash + 1);
    int prefix = IpBytes.decimal(digits);
    boolean padded = digits.length() > 1 && digits.startsWith("0");
    return address == null || padded || prefix < 0 || prefix > address.bytes().length * 8
        ? null
        : new IpBlock(address, prefix);
  }

  IpBlock masked() {
    var bytes = address.bytes().clone();
    for (int bit = prefix; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] &= (byte) ~(0x80 >> bit % 8);
    }
    return new IpBlock(new IpAddress(bytes), prefix);
  }

  boolean contains(IpAddress other) {
    return other.bytes().length == address.bytes().length
        && new IpBlock(other, prefix).masked().address().equals(masked().address());
  }

  boolean contains(IpBlock other) {
    return other.prefix >= prefix && contains(other.address);
  }

  @Override
  public String toString() {
    return address + "/" + prefix;
  }
}
