package io.berth.cluster.kubernetes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads the headers of answers in HTTP/2 (RFC 7541), as far as anybody asks for them.
///
/// We tell servers to keep no table of headers for us, so every header stands in full, and those of
/// no interest are skipped without being decoded.
final class HeaderReader {

  private static final int STATUS = 8;
  private static final int[] STATUSES = {200, 204, 206, 304, 400, 404, 500};
  private static final int CONTENT_TYPE = 31;
  private static final int RETRY_AFTER = 53;
  private static final int STATIC_ENTRIES = 61;

  private byte[] bytes = {};
  private int position;
  private int limit;

  // Nearly all answers have the same type: it is decoded once.
  private byte[] lastType = {};
  private String lastTypeText = "";

  private int status;
  private String contentType = "";
  private int retryAfterSeconds;

  /// Reads one block; what it says is in the accessors afterwards.
  void read(byte[] block, int offset, int length) throws IOException {
    bytes = block;
    position = offset;
    limit = offset + length;
    status = 0;
    contentType = "";
    retryAfterSeconds = 0;
    while (position < limit) {
      int first = bytes[position] & 0xff;
      if (first >= 0x80) {
        indexed(number(0x7f));
      } else if (first >= 0x20 && first < 0x40) {
        number(0x1f);
      } else {
        literal(number(first >= 0x40 ? 0x3f : 0x0f));
      }
    }
  }

  int status() {
    return status;
  }

  String contentType() {
    return contentType;
  }

  int retryAfterSeconds() {
    return retryAfterSeconds;
  }

  private void indexed(int index) throws IOException {
    if (index == 0 || index > STATIC_ENTRIES) {
      throw new IOException("a header of the answer is not in the table");
    }
    if (index >= STATUS && index < STATUS + STATUSES.length) {
      status = STATUSES[index - STATUS];
    }
  }

  private void literal(int index) throws IOException {
    if (index > STATIC_ENTRIES) {
      throw new IOException("a header of the answer is not in the table");
    }
    int name = index == 0 ? spelled(text()) : index;
    if (name >= STATUS && name < STATUS + STATUSES.length) {
      status = decimal(text(), 3);
    } else if (name == CONTENT_TYPE) {
      contentType = type();
    } else if (name == RETRY_AFTER) {
      retryAfterSeconds = Math.max(1, decimal(text(), 4));
    } else {
      skip();
    }
  }

  private static int spelled(String name) {
    return switch (name) {
      case ":status" -> STATUS;
      case "content-type" -> CONTENT_TYPE;
      case "retry-after" -> RETRY_AFTER;
      default -> 0;
    };
  }

  // A date, or anything else that is no number of so many digits, counts as none.
  private static int decimal(String text, int digits) {
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || i == digits) {
        return 0;
      }
      value = 10 * value + digit;
    }
    return value;
  }

  private String type() throws IOException {
    int begin = position;
    skip();
    if (!Arrays.equals(bytes, begin, position, lastType, 0, lastType.length)) {
      lastType = Arrays.copyOfRange(bytes, begin, position);
      position = begin;
      lastTypeText = text();
    }
    return lastTypeText;
  }

  private String text() throws IOException {
    boolean huffman = position < limit && bytes[position] < 0;
    int length = length();
    int begin = position;
    position += length;
    return huffman
        ? Huffman.decode(bytes, begin, length)
        : new String(bytes, begin, length, StandardCharsets.ISO_8859_1);
  }

  private void skip() throws IOException {
    int length = length();
    position += length;
  }

  private int length() throws IOException {
    int length = number(0x7f);
    if (length > limit - position) {
      throw new IOException("a header of the answer is cut off");
    }
    return length;
  }

  /// A number whose first byte leaves the bits of `mask` to it.
  private int number(int mask) throws IOException {
    int value = next() & mask;
    if (value < mask) {
      return value;
    }
    for (int shift = 0; shift <= 21; shift += 7) {
      int more = next();
      value += (more & 0x7f) << shift;
      if (more < 0x80) {
        return value;
      }
    }
    throw new IOException("a header of the answer is too long");
  }

  private int next() throws IOException {
    if (position >= limit) {
      throw new IOException("a header of the answer is cut off");
    }
    return bytes[position++] & 0xff;
  }
}
