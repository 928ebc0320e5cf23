package io.berth.cluster.kubernetes;

import java.util.ArrayList;
import java.util.List;

/// Writes the headers of requests in HTTP/2 (RFC 7541).
///
/// What is the same in all requests is sent once and referred to by its place in a table, which the
/// server keeps as well; paths and lengths are spelled out.
final class HeaderWriter {

  /// The names we send, as the numbers they have in the table that everybody knows.
  static final int AUTHORITY = 1;

  static final int METHOD = 2;
  static final int PATH = 4;
  static final int ACCEPT = 19;
  static final int AUTHORIZATION = 23;
  static final int CONTENT_LENGTH = 28;
  static final int CONTENT_TYPE = 31;
  static final int USER_AGENT = 58;

  private static final int GET = 2;
  private static final int POST = 3;
  private static final int HTTPS = 7;
  private static final int FIRST_OF_OURS = 62;
  private static final int MAX_TABLE = 4096;
  // An entry counts this much beyond its name and value; names are counted at their longest.
  private static final int OVERHEAD = 32;

  // The newest last; places count from there.
  private final List<Entry> table = new ArrayList<>();
  private int size;
  private int limit = MAX_TABLE;
  private int announced = MAX_TABLE;

  private record Entry(int name, String value) {

    int size() {
      return OVERHEAD + nameLength(name) + value.length();
    }

    private static int nameLength(int name) {
      return switch (name) {
        case AUTHORITY -> ":authority".length();
        case METHOD -> ":method".length();
        case ACCEPT -> "accept".length();
        case AUTHORIZATION -> "authorization".length();
        case CONTENT_TYPE -> "content-type".length();
        case USER_AGENT -> "user-agent".length();
        default -> throw new IllegalArgumentException("not kept: " + name);
      };
    }
  }

  /// The server keeps no larger table than this. It does not grow again, which would have to be
  /// told in steps.
  void limit(int bytes) {
    limit = Math.min(bytes, limit);
    evictTo(limit);
  }

  void begin(FrameBuffer out) {
    if (announced != limit) {
      announced = limit;
      number(out, 0x20, 0x1f, limit);
    }
  }

  void scheme(FrameBuffer out) {
    number(out, 0x80, 0x7f, HTTPS);
  }

  void method(FrameBuffer out, String method) {
    switch (method) {
      case "GET" -> number(out, 0x80, 0x7f, GET);
      case "POST" -> number(out, 0x80, 0x7f, POST);
      default -> kept(out, METHOD, method);
    }
  }

  /// A header that comes again with the same value.
  void kept(FrameBuffer out, int name, String value) {
    for (int i = table.size() - 1; i >= 0; i--) {
      var entry = table.get(i);
      if (entry.name == name && entry.value.equals(value)) {
        number(out, 0x80, 0x7f, FIRST_OF_OURS + table.size() - 1 - i);
        return;
      }
    }
    var entry = new Entry(name, value);
    if (entry.size() > limit) {
      once(out, name, value);
      return;
    }
    number(out, 0x40, 0x3f, name);
    text(out, value);
    evictTo(limit - entry.size());
    table.add(entry);
    size += entry.size();
  }

  /// A header that hardly comes again.
  void once(FrameBuffer out, int name, String value) {
    number(out, 0, 0x0f, name);
    text(out, value);
  }

  private void evictTo(int bytes) {
    while (size > bytes) {
      size -= table.removeFirst().size();
    }
  }

  private static void text(FrameBuffer out, String value) {
    number(out, 0, 0x7f, value.length());
    out.putLatin(value);
  }

  private static void number(FrameBuffer out, int pattern, int mask, int value) {
    if (value < mask) {
      out.put(pattern | value);
      return;
    }
    out.put(pattern | mask);
    int rest = value - mask;
    while (rest >= 0x80) {
      out.put((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    out.put(rest);
  }
}
