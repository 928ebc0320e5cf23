package io.berth.bench;

import io.berth.api.Tree;
import io.berth.cluster.kubernetes.Access;
import io.berth.codec.Json;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One connection to an API server that speaks HTTP/1.1, as cheaply as possible: client and server
/// share the machine, so what the client spends the server lacks.
final class ApiConnection implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Access access;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final byte[] buffer = new byte[64 << 10];
  private byte last;

  ApiConnection(Access access) throws IOException {
    this.access = access;
    this.socket = access.connect(PATIENCE);
    this.socket.setSoTimeout(0);
    this.in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
    this.out = socket.getOutputStream();
  }

  /// Sends a request and skips the body of the answer, whose length is returned.
  long call(String method, String target, String accept, byte @Nullable [] body, int expected)
      throws IOException {
    send(method, target, accept, body);
    var head = head();
    long length = head.chunked ? skipChunks() : skip(head.length);
    if (head.status != expected) {
      throw new IOException("%s %s: status %d".formatted(method, target, head.status));
    }
    return length;
  }

  /// Sends a request and reads its answer, which must not come in chunks.
  Tree fetch(String target) throws IOException {
    send("GET", target, "application/json", null);
    var head = head();
    if (head.status != 200 || head.chunked) {
      throw new IOException("GET %s: status %d".formatted(target, head.status));
    }
    return Json.read(in.readNBytes((int) head.length));
  }

  /// Starts a watch; from now on only [#countLines] may be called.
  void watch(String target) throws IOException {
    send("GET", target, "application/json", null);
    var head = head();
    if (head.status != 200) {
      throw new IOException("GET %s: status %d".formatted(target, head.status));
    }
  }

  /// Waits for more of a watch; how many events ended in what came.
  int countLines() throws IOException {
    int read = in.read(buffer);
    if (read < 0) {
      throw new EOFException("the watch ended");
    }
    int lines = 0;
    for (int i = 0; i < read; i++) {
      // The line end of a chunk has a carriage return before it, that of an event a brace.
      if (buffer[i] == '\n' && (i == 0 ? last : buffer[i - 1]) == '}') {
        lines++;
      }
    }
    last = buffer[read - 1];
    return lines;
  }

  private void send(String method, String target, String accept, byte @Nullable [] body)
      throws IOException {
    var head = new StringBuilder(256);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: ");
    head.append(access.server().getRawAuthority()).append("\r\nAccept: ").append(accept);
    var authorization = access.authorization();
    if (authorization != null) {
      head.append("\r\nAuthorization: ").append(authorization);
    }
    if (body != null) {
      head.append("\r\nContent-Type: application/json\r\nContent-Length: ").append(body.length);
    }
    var bytes = head.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    if (body != null) {
      var both = Arrays.copyOf(bytes, bytes.length + body.length);
      System.arraycopy(body, 0, both, bytes.length, body.length);
      bytes = both;
    }
    out.write(bytes);
    out.flush();
  }

  private Head head() throws IOException {
    int status = Integer.parseInt(line().substring(9, 12));
    long length = 0;
    boolean chunked = false;
    for (var line = line(); !line.isEmpty(); line = line()) {
      var header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("content-length:")) {
        length = Long.parseLong(header.substring(15).strip());
      } else if (header.startsWith("transfer-encoding:")) {
        chunked = header.contains("chunked");
      }
    }
    return new Head(status, length, chunked);
  }

  private long skipChunks() throws IOException {
    long sum = 0;
    while (true) {
      long length = Long.parseLong(line().strip(), 16);
      skip(length);
      line();
      if (length == 0) {
        return sum;
      }
      sum += length;
    }
  }

  private long skip(long length) throws IOException {
    long left = length;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new EOFException("the answer ended early");
      }
      left -= read;
    }
    return length;
  }

  private String line() throws IOException {
    var line = new StringBuilder(64);
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private record Head(int status, long length, boolean chunked) {}
}
