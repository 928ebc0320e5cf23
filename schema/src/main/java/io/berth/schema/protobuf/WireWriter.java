package io.berth.schema.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes protobuf's wire format from the last byte to the first.
///
/// A message is preceded by its length; written backwards, the length is known when its turn comes.
/// So fields are written in reverse, each value before its tag.
public final class WireWriter {

  private byte[] bytes;
  private int start;

  public WireWriter(int capacity) {
    this.bytes = new byte[capacity];
    this.start = capacity;
  }

  /// How much has been written; the difference of two marks is the length of what lies between.
  public int mark() {
    return bytes.length - start;
  }

  public byte[] toBytes() {
    return Arrays.copyOfRange(bytes, start, bytes.length);
  }

  public void raw(byte[] value) {
    room(value.length);
    start -= value.length;
    System.arraycopy(value, 0, bytes, start, value.length);
  }

  public void varint(long value) {
    int size = size(value);
    room(size);
    start -= size;
    int at = start;
    while ((value & ~0x7fL) != 0) {
      bytes[at++] = (byte) (value | 0x80);
      value >>>= 7;
    }
    bytes[at] = (byte) value;
  }

  public void fixed64(long value) {
    room(8);
    start -= 8;
    for (int i = 0; i < 8; i++) {
      bytes[start + i] = (byte) (value >>> (8 * i));
    }
  }

  public void tag(int field, int wireType) {
    varint((long) field << 3 | wireType);
  }

  public void number(int field, long value) {
    varint(value);
    tag(field, WireReader.VARINT);
  }

  public void real(int field, double value) {
    fixed64(Double.doubleToRawLongBits(value));
    tag(field, WireReader.FIXED64);
  }

  public void text(int field, String value) {
    delimited(field, value.getBytes(StandardCharsets.UTF_8));
  }

  public void delimited(int field, byte[] value) {
    raw(value);
    varint(value.length);
    tag(field, WireReader.BYTES);
  }

  /// Puts length and tag before everything written since `mark`.
  public void close(int field, int mark) {
    varint(mark() - mark);
    tag(field, WireReader.BYTES);
  }

  private static int size(long value) {
    return (63 - Long.numberOfLeadingZeros(value | 1)) / 7 + 1;
  }

  private void room(int needed) {
    if (start >= needed) {
      return;
    }
    int used = mark();
    int capacity = Math.max(bytes.length * 2, used + needed);
    var larger = new byte[capacity];
    System.arraycopy(bytes, start, larger, capacity - used, used);
    bytes = larger;
    start = capacity - used;
  }
}
