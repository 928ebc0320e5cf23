package io.berth.cluster.kubernetes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/// An answer in HTTP/1.1: its head, and its body as a stream that ends where the body does.
final class Http1Answer implements Answer {

  private static final int MAX_HEADERS = 200;

  private final int status;
  private final Body body;
  private String contentType = "";
  private int retryAfterSeconds;
  private boolean close;

  private Http1Answer(int status, Connection connection) {
    this.status = status;
    this.body = new Body(connection);
  }

  static Http1Answer read(Connection connection) throws IOException {
    var line = connection.line();
    var answer = new Http1Answer(status(line), connection);
    answer.close = line.startsWith("HTTP/1.0");
    boolean framed = false;
    for (int i = 0; ; i++) {
      var header = connection.line();
      if (header.isEmpty()) {
        break;
      }
      if (i == MAX_HEADERS) {
        throw new IOException("the answer has too many headers");
      }
      int colon = header.indexOf(':');
      if (colon > 0) {
        framed |=
            answer.header(
                header.substring(0, colon).toLowerCase(Locale.ROOT),
                header.substring(colon + 1).strip());
      }
    }
    boolean empty = answer.status == 204 || answer.status == 304 || answer.status / 100 == 1;
    if (empty) {
      answer.body.remaining = 0;
      answer.body.chunked = false;
    } else if (!framed) {
      answer.close = true;
    }
    return answer;
  }

  private static int status(String line) throws IOException {
    boolean wellFormed =
        line.length() >= 12
            && (line.startsWith("HTTP/1.1 ") || line.startsWith("HTTP/1.0 "))
            && (line.length() == 12 || line.charAt(12) == ' ');
    int status = 0;
    for (int i = 9; wellFormed && i < 12; i++) {
      int digit = line.charAt(i) - '0';
      wellFormed = digit >= 0 && digit <= 9;
      status = 10 * status + digit;
    }
    if (!wellFormed) {
      throw new IOException("no HTTP/1.1 answer: " + line);
    }
    return status;
  }

  /// Takes note of a header; `true` when it says where the body ends.
  private boolean header(String name, String value) {
    switch (name) {
      case "content-length" -> {
        body.remaining = Long.parseLong(value);
        return true;
      }
      case "transfer-encoding" -> {
        body.chunked = value.equalsIgnoreCase("chunked");
        body.remaining = 0;
        return body.chunked;
      }
      case "content-type" -> contentType = value;
      case "connection" -> close |= value.equalsIgnoreCase("close");
      case "retry-after" ->
          retryAfterSeconds = value.matches("\\d{1,4}") ? Integer.parseInt(value) : 1;
      default -> {}
    }
    return false;
  }

  @Override
  public int status() {
    return status;
  }

  @Override
  public String contentType() {
    return contentType;
  }

  @Override
  public int retryAfterSeconds() {
    return retryAfterSeconds;
  }

  @Override
  public InputStream body() {
    return body;
  }

  /// Whether the body has been read whole and the connection may serve another request.
  boolean isReusable() {
    return !close && body.ended();
  }

  /// A body of known length, in chunks, or up to the end of the connection.
  private static final class Body extends InputStream {

    private final Connection connection;
    private long remaining = Long.MAX_VALUE;
    private boolean chunked;
    private boolean begun;
    private boolean last;

    Body(Connection connection) {
      this.connection = connection;
    }

    boolean ended() {
      return chunked ? last : remaining == 0;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (chunked && remaining == 0 && !last) {
        nextChunk();
      }
      if (remaining == 0 || length == 0) {
        return length == 0 ? 0 : -1;
      }
      int taken = connection.read(target, offset, (int) Math.min(length, remaining));
      if (taken < 0) {
        if (chunked || remaining < Long.MAX_VALUE / 2) {
          throw new EOFException("the server closed the connection within an answer");
        }
        remaining = 0;
        return -1;
      }
      remaining -= taken;
      return taken;
    }

    // Servers may send the line end of a chunk only with the next one: it is read as late as that.
    private void nextChunk() throws IOException {
      if (begun) {
        connection.line();
      }
      begun = true;
      var line = connection.line();
      int end = line.indexOf(';');
      try {
        remaining = Long.parseLong((end < 0 ? line : line.substring(0, end)).strip(), 16);
      } catch (NumberFormatException e) {
        throw new IOException("malformed chunk length: " + line, e);
      }
      if (remaining == 0) {
        last = true;
        while (!connection.line().isEmpty()) {
          // Trailers say nothing that is needed here.
        }
      }
    }
  }
}
