package io.berth.schema;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// IP addresses as bytes: 4 of them, or 16.
public final class IpBytes {

  private static final int GROUPS = 8;

  private IpBytes() {}

  /// The bytes of an address, or `null` when the text is none. `sloppy` lets pass leading zeros in
  /// IPv4, as older fields of Kubernetes do.
  public static byte @Nullable [] parse(String text, boolean sloppy) {
    return text.indexOf(':') >= 0 ? v6(text) : v4(text, sloppy);
  }

  private static byte @Nullable [] v4(String text, boolean sloppy) {
    var parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return null;
    }
    var bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      var part = parts[i];
      boolean zeros = part.length() > 1 && part.startsWith("0");
      int value = part.length() > 3 && !zeros ? -1 : decimal(part);
      if (value < 0 || value > 255 || (zeros && !sloppy)) {
        return null;
      }
      bytes[i] = (byte) value;
    }
    return bytes;
  }

  /// The number in the text, or -1.
  public static int decimal(String text) {
    if (text.isEmpty() || text.length() > 8) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = value * 10 + c - '0';
    }
    return value;
  }

  private static byte @Nullable [] v6(String text) {
    int gap = text.indexOf("::");
    if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
      return null;
    }
    var head = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
    var tail = gap < 0 ? new byte[0] : groups(text.substring(gap + 2), true);
    if (head == null || tail == null) {
      return null;
    }
    int length = head.length + tail.length;
    if (gap < 0 ? length != 2 * GROUPS : length > 2 * (GROUPS - 1)) {
      return null;
    }
    var bytes = Arrays.copyOf(head, 2 * GROUPS);
    System.arraycopy(tail, 0, bytes, bytes.length - tail.length, tail.length);
    return bytes;
  }

  private static byte @Nullable [] groups(String text, boolean last) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    var parts = text.split(":", -1);
    var bytes = new byte[2 * GROUPS + 2];
    int at = 0;
    for (int i = 0; i < parts.length; i++) {
      var part = parts[i];
      if (last && i == parts.length - 1 && part.indexOf('.') >= 0) {
        var v4 = v4(part, false);
        if (v4 == null || at > 2 * GROUPS - 4) {
          return null;
        }
        System.arraycopy(v4, 0, bytes, at, 4);
        at += 4;
      } else {
        int value = hexadecimal(part);
        if (value < 0 || at > 2 * GROUPS - 2) {
          return null;
        }
        bytes[at++] = (byte) (value >> 8);
        bytes[at++] = (byte) value;
      }
    }
    return Arrays.copyOf(bytes, at);
  }

  private static int hexadecimal(String text) {
    if (text.isEmpty() || text.length() > 4) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0 || text.charAt(i) > 'f') {
        return -1;
      }
      value = value * 16 + digit;
    }
    return value;
  }

  /// Whether an IPv6 address stands for an IPv4 one: `::ffff:10.0.0.1`.
  public static boolean isMapped(byte[] address) {
    if (address.length != 16 || address[10] != -1 || address[11] != -1) {
      return false;
    }
    for (int i = 0; i < 10; i++) {
      if (address[i] != 0) {
        return false;
      }
    }
    return true;
  }

  /// The address in its shortest form.
  public static String text(byte[] address) {
    if (address.length == 4) {
      return "%d.%d.%d.%d"
          .formatted(address[0] & 255, address[1] & 255, address[2] & 255, address[3] & 255);
    }
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      groups[i] = (address[2 * i] & 255) << 8 | (address[2 * i + 1] & 255);
    }
    int start = -1;
    int length = 1;
    for (int i = 0; i < GROUPS; i++) {
      int end = i;
      while (end < GROUPS && groups[end] == 0) {
        end++;
      }
      if (end - i > length) {
        start = i;
        length = end - i;
      }
    }
    var text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == start) {
        text.append("::");
        i += length - 1;
        continue;
      }
      if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      text.append(Integer.toHexString(groups[i]));
    }
    return text.toString();
  }
}
