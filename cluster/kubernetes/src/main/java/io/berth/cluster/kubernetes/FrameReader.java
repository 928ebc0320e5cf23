package io.berth.cluster.kubernetes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/// Frames of HTTP/2 as they come: after [#next()] the accessors show one of them.
final class FrameReader {

  private static final int HEAD = 9;

  private final InputStream in;
  private final byte[] bytes = new byte[2 * (HEAD + Frames.FIRST_MAX_FRAME)];
  private int position;
  private int limit;
  private int length;
  private int type;
  private int flags;
  private int stream;
  private int contentAt;
  private int contentLength;

  FrameReader(InputStream in) {
    this.in = in;
  }

  void next() throws IOException {
    position += length;
    length = 0;
    need(HEAD);
    int size = ((bytes[position] & 0xff) << 16) | unsigned16(position + 1);
    type = bytes[position + 3];
    flags = bytes[position + 4];
    stream = int32(position + 5) & Integer.MAX_VALUE;
    if (size > Frames.FIRST_MAX_FRAME) {
      throw new IOException("the server sends a frame of %d bytes".formatted(size));
    }
    position += HEAD;
    need(size);
    length = size;
  }

  private void need(int count) throws IOException {
    if (bytes.length - position < count) {
      System.arraycopy(bytes, position, bytes, 0, limit - position);
      limit -= position;
      position = 0;
    }
    while (limit - position < count) {
      int read = in.read(bytes, limit, bytes.length - limit);
      if (read < 0) {
        throw new EOFException("the server closed the connection");
      }
      limit += read;
    }
  }

  /// Takes away the padding, and `head` bytes before the content that nobody looks at.
  void strip(boolean padded, int head) throws IOException {
    int padding = padded && length > 0 ? 1 + (bytes[position] & 0xff) : 0;
    int before = (padded ? 1 : 0) + head;
    int after = Math.max(0, padding - 1);
    if (before + after > length) {
      throw new IOException("the server sends a frame that is too short");
    }
    // What follows is skipped with the next frame.
    contentAt = position + before;
    contentLength = length - before - after;
  }

  int type() {
    return type;
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  int stream() {
    return stream;
  }

  /// How long the frame is, padding included.
  int length() {
    return length;
  }

  byte[] bytes() {
    return bytes;
  }

  /// Where the content begins, after [#strip].
  int contentAt() {
    return contentAt;
  }

  int contentLength() {
    return contentLength;
  }

  /// The number at this place of the frame.
  int intAt(int offset) throws IOException {
    if (offset + 4 > length) {
      throw new IOException("the server sends a frame that is too short");
    }
    return int32(position + offset);
  }

  int shortAt(int offset) throws IOException {
    if (offset + 2 > length) {
      throw new IOException("the server sends a frame that is too short");
    }
    return unsigned16(position + offset);
  }

  private int unsigned16(int at) {
    return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
  }

  private int int32(int at) {
    return (unsigned16(at) << 16) | unsigned16(at + 2);
  }
}
