package io.berth.schema.cel;

import io.berth.schema.IpBytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// An IP address as expressions see it: neither mapped nor with a zone.
record IpAddress(byte[] bytes) {

  static @Nullable IpAddress parse(String text) {
    var bytes = IpBytes.parse(text, false);
    return bytes == null || IpBytes.isMapped(bytes) ? null : new IpAddress(bytes);
  }

  boolean isUnspecified() {
    for (byte each : bytes) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }

  boolean isLoopback() {
    return bytes.length == 4 ? bytes[0] == 127 : toString().equals("::1");
  }

  boolean isLinkLocalMulticast() {
    return bytes.length == 4
        ? at(0) == 224 && at(1) == 0 && at(2) == 0
        : at(0) == 0xff && (at(1) & 0x0f) == 2;
  }

  boolean isLinkLocalUnicast() {
    return bytes.length == 4
        ? at(0) == 169 && at(1) == 254
        : at(0) == 0xfe && (at(1) & 0xc0) == 0x80;
  }

  boolean isGlobalUnicast() {
    boolean multicast = bytes.length == 4 ? (at(0) & 0xf0) == 224 : at(0) == 0xff;
    boolean broadcast = toString().equals("255.255.255.255");
    return !isUnspecified() && !broadcast && !isLoopback() && !multicast && !isLinkLocalUnicast();
  }

  private int at(int index) {
    return bytes[index] & 255;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IpAddress address && Arrays.equals(bytes, address.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return IpBytes.text(bytes);
  }
}
