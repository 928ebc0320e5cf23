package io.berth.codec;

import java.util.Arrays;

/// Reads elements of distinguished encoding one after the other.
///
/// There is one way to write each value, and nothing else is taken: no lengths without end or
/// longer than they need be, no tags of several bytes. Whatever is damaged ends in an
/// [IllegalArgumentException].
final class Der {

  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OBJECT_IDENTIFIER = 0x06;
  static final int SEQUENCE = 0x30;
  static final int SET = 0x31;

  /// `[0]` around other elements.
  static final int CONTEXT_0 = 0xa0;

  private static final int LONG_TAG = 0x1f;
  private static final int LONG_LENGTH = 0x80;
  private static final int MOST_LENGTH_BYTES = 3;

  private final byte[] bytes;
  private final int end;
  private int at;

  Der(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private Der(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  boolean hasNext() {
    return at < end;
  }

  /// The tag of the next element.
  int tag() {
    return peek(0);
  }

  /// What is inside the next element, which has this tag.
  Der enter(int tag) {
    int length = header(tag);
    at += length;
    return new Der(bytes, at - length, at);
  }

  byte[] content(int tag) {
    int length = header(tag);
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  /// The next element of this tag, with its tag and length.
  byte[] whole(int tag) {
    int from = at;
    int length = header(tag);
    at += length;
    return Arrays.copyOfRange(bytes, from, at);
  }

  /// Nothing may follow: what nobody reads, somebody else may.
  void finish() {
    if (hasNext()) {
      throw new IllegalArgumentException("trailing data");
    }
  }

  /// The next element, an object identifier, in dots.
  String oid() {
    var steps = enter(OBJECT_IDENTIFIER);
    int first = steps.step();
    int root = Math.min(first / 40, 2);
    var text = new StringBuilder().append(root).append('.').append(first - 40 * root);
    while (steps.hasNext()) {
      text.append('.').append(steps.step());
    }
    return text.toString();
  }

  private int step() {
    long value = 0;
    if (peek(0) == 0x80) {
      throw new IllegalArgumentException("integer is not minimally encoded");
    }
    int each;
    do {
      each = peek(0);
      at++;
      value = (value << 7) | (each & 0x7f);
      if (value > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("base 128 integer too large");
      }
    } while (each >= 0x80);
    return (int) value;
  }

  /// Steps over tag and length, and returns the length of what follows.
  private int header(int tag) {
    int found = tag();
    if (found != tag || (found & LONG_TAG) == LONG_TAG) {
      throw new IllegalArgumentException("unexpected tag " + found);
    }
    int length = peek(1);
    at += 2;
    if (length >= LONG_LENGTH) {
      length = longLength(length - LONG_LENGTH);
    }
    if (length > end - at) {
      throw new IllegalArgumentException("data truncated");
    }
    return length;
  }

  private int longLength(int size) {
    if (size == 0) {
      throw new IllegalArgumentException("indefinite length found (not DER)");
    }
    if (size > MOST_LENGTH_BYTES) {
      throw new IllegalArgumentException("length too large");
    }
    int length = 0;
    for (int i = 0; i < size; i++) {
      length = (length << 8) | peek(0);
      at++;
    }
    if (length < LONG_LENGTH || length < 1 << (8 * (size - 1))) {
      throw new IllegalArgumentException("non-minimal length");
    }
    return length;
  }

  private int peek(int offset) {
    if (at + offset >= end) {
      throw new IllegalArgumentException("data truncated");
    }
    return bytes[at + offset] & 0xff;
  }
}
