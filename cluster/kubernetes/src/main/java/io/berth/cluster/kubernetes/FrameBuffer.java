package io.berth.cluster.kubernetes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Frames of HTTP/2 on their way out, one after the other in one array.
final class FrameBuffer {

  private static final int HEAD = 9;

  private byte[] bytes = new byte[8 << 10];
  private int length;

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  /// Begins a frame; [#end] says how long it became.
  int begin(int type, int flags, int stream) {
    int start = length;
    room(HEAD);
    length += 3;
    put(type);
    put(flags);
    putInt(stream);
    return start;
  }

  void end(int start) {
    int size = length - start - HEAD;
    bytes[start] = (byte) (size >> 16);
    bytes[start + 1] = (byte) (size >> 8);
    bytes[start + 2] = (byte) size;
  }

  void put(int value) {
    room(1);
    bytes[length++] = (byte) value;
  }

  void putInt(int value) {
    room(4);
    bytes[length++] = (byte) (value >> 24);
    bytes[length++] = (byte) (value >> 16);
    bytes[length++] = (byte) (value >> 8);
    bytes[length++] = (byte) value;
  }

  void putAll(byte[] source, int offset, int count) {
    room(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /// The characters of a header, of which all are below 256.
  @SuppressWarnings("deprecation") // it is what a header needs: the low byte of each character
  void putLatin(String text) {
    int count = text.length();
    room(count);
    text.getBytes(0, count, bytes, length);
    length += count;
  }

  void putAscii(String text) {
    var encoded = text.getBytes(StandardCharsets.US_ASCII);
    putAll(encoded, 0, encoded.length);
  }

  private void room(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}
