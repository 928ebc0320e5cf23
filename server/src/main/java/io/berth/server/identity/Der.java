package io.berth.server.identity;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Writes the ASN.1 values a certificate consists of, in distinguished encoding.
final class Der {

  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter GENERALIZED =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final Instant FIRST_GENERALIZED = Instant.parse("2050-01-01T00:00:00Z");

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, concat(parts));
  }

  static byte[] set(byte[]... parts) {
    return tagged(0x31, concat(parts));
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] truth() {
    return tagged(0x01, new byte[] {(byte) 0xff});
  }

  static byte[] octets(byte[] value) {
    return tagged(0x04, value);
  }

  static byte[] bits(byte[] value) {
    return tagged(0x03, concat(new byte[] {0}, value));
  }

  /// Named bits, first one leftmost; trailing zero bits are not written.
  static byte[] flags(int leftmost, int count) {
    return tagged(0x03, new byte[] {(byte) (8 - count), (byte) leftmost});
  }

  static byte[] text(String value) {
    return tagged(0x0c, value.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] oid(String dotted) {
    var out = new ByteArrayOutputStream();
    var steps = dotted.split("\\.", -1);
    out.write(Integer.parseInt(steps[0]) * 40 + Integer.parseInt(steps[1]));
    for (int i = 2; i < steps.length; i++) {
      base128(Integer.parseInt(steps[i]), out);
    }
    return tagged(0x06, out.toByteArray());
  }

  static byte[] time(Instant at) {
    return at.isBefore(FIRST_GENERALIZED)
        ? tagged(0x17, UTC.format(at).getBytes(StandardCharsets.US_ASCII))
        : tagged(0x18, GENERALIZED.format(at).getBytes(StandardCharsets.US_ASCII));
  }

  /// `[number]` around a whole value.
  static byte[] explicit(int number, byte[] value) {
    return tagged(0xa0 | number, value);
  }

  /// `[number]` in place of a primitive value's own tag.
  static byte[] implicit(int number, byte[] content) {
    return tagged(0x80 | number, content);
  }

  static byte[] concat(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (var part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] tagged(int tag, byte[] content) {
    var out = new ByteArrayOutputStream(content.length + 6);
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else {
      var length = BigInteger.valueOf(content.length).toByteArray();
      int from = length[0] == 0 ? 1 : 0;
      out.write(0x80 | (length.length - from));
      out.write(length, from, length.length - from);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static void base128(int value, ByteArrayOutputStream out) {
    for (int shift = 28; shift > 0; shift -= 7) {
      if (value >>> shift != 0) {
        out.write(0x80 | ((value >>> shift) & 0x7f));
      }
    }
    out.write(value & 0x7f);
  }
}
