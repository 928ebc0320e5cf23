package io.berth.schema.protobuf;

import io.berth.schema.DecodingException;
import java.nio.charset.StandardCharsets;

/// Reads protobuf's wire format from a part of an array; never beyond it, whatever the bytes say.
final class WireReader {

  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int BYTES = 2;
  static final int FIXED32 = 5;

  private final byte[] bytes;
  private final int end;
  private int at;
  private int wireType;

  WireReader(byte[] bytes) {
    this(bytes, 0);
  }

  WireReader(byte[] bytes, int from) {
    this(bytes, from, bytes.length);
  }

  WireReader(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  boolean hasMore() {
    return at < end;
  }

  /// The number of the next field; its value must be read or skipped next.
  int field() {
    long tag = varint();
    wireType = (int) (tag & 7);
    long number = tag >>> 3;
    if (number == 0 || number > Integer.MAX_VALUE) {
      throw new DecodingException("proto: illegal tag " + number);
    }
    return (int) number;
  }

  /// Whether the value that comes next is length-delimited.
  boolean isDelimited() {
    return wireType == BYTES;
  }

  long number() {
    require(VARINT);
    return varint();
  }

  double real() {
    require(FIXED64);
    long bits = 0;
    for (int i = 0; i < 8; i++) {
      bits |= (long) (next() & 0xff) << (8 * i);
    }
    return Double.longBitsToDouble(bits);
  }

  String text() {
    require(BYTES);
    int length = length();
    at += length;
    return new String(bytes, at - length, length, StandardCharsets.UTF_8);
  }

  byte[] bytes() {
    var slice = message();
    var copy = new byte[slice.end - slice.at];
    System.arraycopy(bytes, slice.at, copy, 0, copy.length);
    return copy;
  }

  /// A reader of the nested message that comes next.
  WireReader message() {
    require(BYTES);
    int length = length();
    at += length;
    return new WireReader(bytes, at - length, at);
  }

  /// The next number of a packed list.
  long packed() {
    return varint();
  }

  void skip() {
    switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> skip(8);
      case BYTES -> skip(length());
      case FIXED32 -> skip(4);
      default -> throw new DecodingException("proto: illegal wireType " + wireType);
    }
  }

  void skip(int count) {
    if (count > end - at) {
      throw unexpectedEnd();
    }
    at += count;
  }

  private void require(int wanted) {
    if (wireType != wanted) {
      throw new DecodingException("proto: wrong wireType = " + wireType);
    }
  }

  private int length() {
    long length = varint();
    if (length < 0) {
      throw new DecodingException("proto: negative length found during unmarshaling");
    }
    if (length > end - at) {
      throw unexpectedEnd();
    }
    return (int) length;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = next();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new DecodingException("proto: integer overflow");
  }

  private byte next() {
    if (at >= end) {
      throw unexpectedEnd();
    }
    return bytes[at++];
  }

  private static DecodingException unexpectedEnd() {
    return new DecodingException("unexpected EOF");
  }
}
