package io.berth.kinds.meta;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// IP addresses and blocks of them as fields of objects.
///
/// Mirrors: apimachinery/pkg/util/validation.IsValidIPForLegacyField, IsValidCIDRForLegacyField
public final class IpAddresses {

  private IpAddresses() {}

  /// An address in a field that exists since before the rules became strict: what is stored stays.
  public static void validate(Cursor field, List<String> stored) {
    var value = field.text();
    if (stored.contains(value)) {
      return;
    }
    var address = parse(value);
    if (address == null) {
      field.invalidText("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
      return;
    }
    if (hasLeadingZeros(value)) {
      field.invalid("must not have leading 0s");
    }
    if (isMapped(value)) {
      field.invalid("must not be an IPv4-mapped IPv6 address");
    }
  }

  /// A block of addresses: `10.9.8.0/24`; says whether it is one.
  public static boolean validateCidr(Cursor field, List<String> stored) {
    var value = field.text();
    var wrong = stored.contains(value) ? null : wrongCidr(value);
    if (wrong != null) {
      field.invalidText(wrong);
    }
    return wrong == null;
  }

  private static @Nullable String wrongCidr(String value) {
    int slash = value.indexOf('/');
    var address = slash < 0 ? null : parse(value.substring(0, slash));
    int prefix = slash < 0 ? -1 : prefixLength(value.substring(slash + 1));
    if (address == null || prefix < 0 || prefix > address.length * 8) {
      return "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
    }
    if (hasLeadingZeros(value.substring(0, slash))
        || (value.length() > slash + 2 && value.charAt(slash + 1) == '0')) {
      return "must not have leading 0s in IP or prefix length";
    }
    if (isMapped(value.substring(0, slash))) {
      return "must not have an IPv4-mapped IPv6 address";
    }
    return hasBitsBeyond(address, prefix)
        ? "must not have bits set beyond the prefix length"
        : null;
  }

  /// An address that other machines can reach.
  public static void validateReachable(Cursor field) {
    var bytes = parse(field.text());
    if (bytes == null) {
      field.invalidText("must be a valid IP address");
      return;
    }
    boolean four = bytes.length == 4;
    if (isAll(bytes, bytes.length, 0)) {
      field.invalid("may not be unspecified (" + field.text() + ")");
    }
    if (four ? bytes[0] == 127 : isAll(bytes, 15, 0) && bytes[15] == 1) {
      field.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
    }
    if (four
        ? bytes[0] == (byte) 169 && bytes[1] == (byte) 254
        : bytes[0] == (byte) 0xfe && (bytes[1] & 0xc0) == 0x80) {
      field.invalid("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    }
    if (four
        ? bytes[0] == (byte) 224 && bytes[1] == 0 && bytes[2] == 0
        : bytes[0] == (byte) 0xff && (bytes[1] & 0x0f) == 2) {
      field.invalid("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
    }
  }

  private static boolean isAll(byte[] bytes, int count, int value) {
    for (int i = 0; i < count; i++) {
      if (bytes[i] != value) {
        return false;
      }
    }
    return true;
  }

  /// The bytes of an address, four or sixteen, or `null` when the text is none.
  public static byte @Nullable [] parse(String text) {
    return text.indexOf(':') >= 0 ? parse6(text) : parse4(text);
  }

  public static boolean is4(String text) {
    return parse4(text) != null;
  }

  public static boolean is6(String text) {
    return text.indexOf(':') >= 0 && parse6(text) != null;
  }

  private static byte @Nullable [] parse4(String text) {
    var parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return null;
    }
    var bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      int value = decimal(parts[i]);
      if (value < 0 || value > 255) {
        return null;
      }
      bytes[i] = (byte) value;
    }
    return bytes;
  }

  private static byte @Nullable [] parse6(String text) {
    var rest = text;
    int tail = text.lastIndexOf(':');
    byte @Nullable [] last4 = null;
    if (text.indexOf('.') >= 0) {
      last4 = parse4(text.substring(tail + 1));
      if (last4 == null) {
        return null;
      }
      rest = text.substring(0, tail + 1) + "0:0";
    }
    int gap = rest.indexOf("::");
    var head = gap < 0 ? groups(rest) : groups(rest.substring(0, gap));
    var end = gap < 0 ? new int[0] : groups(rest.substring(gap + 2));
    if (head == null || end == null) {
      return null;
    }
    int count = head.length + end.length;
    if (gap < 0 ? count != 8 : count > 7) {
      return null;
    }
    var bytes = new byte[16];
    for (int i = 0; i < head.length; i++) {
      put(bytes, i, head[i]);
    }
    for (int i = 0; i < end.length; i++) {
      put(bytes, 8 - end.length + i, end[i]);
    }
    if (last4 != null) {
      System.arraycopy(last4, 0, bytes, 12, 4);
    }
    return bytes;
  }

  private static void put(byte[] bytes, int group, int value) {
    bytes[2 * group] = (byte) (value >> 8);
    bytes[2 * group + 1] = (byte) value;
  }

  private static int @Nullable [] groups(String text) {
    if (text.isEmpty()) {
      return new int[0];
    }
    var parts = text.split(":", -1);
    var groups = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      if (parts[i].isEmpty() || parts[i].length() > 4) {
        return null;
      }
      for (int c = 0; c < parts[i].length(); c++) {
        int digit = Character.digit(parts[i].charAt(c), 16);
        if (digit < 0) {
          return null;
        }
        groups[i] = groups[i] * 16 + digit;
      }
    }
    return groups;
  }

  private static int decimal(String text) {
    if (text.isEmpty() || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    return Integer.parseInt(text);
  }

  private static int prefixLength(String text) {
    int length = decimal(text);
    return length > 128 ? -1 : length;
  }

  private static boolean hasLeadingZeros(String text) {
    if (text.indexOf('.') < 0) {
      return false;
    }
    for (var part : text.substring(text.lastIndexOf(':') + 1).split("\\.", -1)) {
      if (part.length() > 1 && part.startsWith("0")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMapped(String text) {
    var bytes = text.indexOf(':') >= 0 ? parse6(text) : null;
    if (bytes == null || bytes[10] != -1 || bytes[11] != -1) {
      return false;
    }
    for (int i = 0; i < 10; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasBitsBeyond(byte[] address, int prefix) {
    for (int bit = prefix; bit < address.length * 8; bit++) {
      if ((address[bit / 8] >> (7 - bit % 8) & 1) != 0) {
        return true;
      }
    }
    return false;
  }
}
