package io.berth.cluster.kubernetes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// One connection that speaks HTTP/1.1, for one request at a time.
///
/// Owned by the thread that took it from the pool; [#abort()] alone may be called from others.
final class Connection {

  private static final int BUFFER = 16 << 10;
  private static final int MAX_HEAD = 64 << 10;
  private static final int HANDSHAKE_MILLIS = 30_000;

  private static final String[] NO_PROTOCOLS = {};

  private final Socket raw;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int limit;
  private long usedAt = System.nanoTime();
  private boolean fresh = true;

  private Connection(Socket raw, Socket socket) throws IOException {
    this.raw = raw;
    this.socket = socket;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
  }

  /// Opens a connection that speaks HTTP/1.1.
  static Connection open(Access access, Duration patience) throws IOException {
    return open(access, patience, NO_PROTOCOLS);
  }

  /// The same, offering the server these protocols; [#protocol()] is the one that it chose.
  static Connection open(Access access, Duration patience, String... protocols) throws IOException {
    var server = access.server();
    int port = server.getPort() >= 0 ? server.getPort() : access.sockets() == null ? 80 : 443;
    var host = server.getHost();
    var bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    var raw = new BufferedSocket();
    try {
      raw.setTcpNoDelay(true);
      keepAlive(raw);
      raw.connect(new InetSocketAddress(bare, port), (int) patience.toMillis());
      raw.setSoTimeout(HANDSHAKE_MILLIS);
      var sockets = access.sockets();
      return new Connection(
          raw, sockets == null ? raw : sockets.on(raw, access.tlsName(), port, protocols));
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }

  // A watch may be silent for a minute; without this a server that lost its power is noticed by
  // nobody.
  private static void keepAlive(Socket socket) throws IOException {
    socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
      socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 15);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 5);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 3);
    }
  }

  Socket socket() {
    return socket;
  }

  /// The protocol that the server has chosen of those offered to it, or empty.
  String protocol() {
    return socket instanceof SSLSocket tls ? tls.getApplicationProtocol() : "";
  }

  InputStream in() {
    return in;
  }

  OutputStream out() {
    return out;
  }

  /// Sends head and body in one piece.
  void send(String head, byte @Nullable [] body) throws IOException {
    var bytes = head.getBytes(StandardCharsets.ISO_8859_1);
    if (body == null) {
      out.write(bytes);
    } else {
      var both = java.util.Arrays.copyOf(bytes, bytes.length + body.length);
      System.arraycopy(body, 0, both, bytes.length, body.length);
      out.write(both);
    }
    out.flush();
  }

  /// Reads the head of the answer; the body is read from what comes back.
  Http1Answer receive(Duration patience) throws IOException {
    socket.setSoTimeout((int) patience.toMillis());
    var answer = Http1Answer.read(this);
    while (answer.status() / 100 == 1) {
      answer = Http1Answer.read(this);
    }
    return answer;
  }

  /// One line without its end.
  String line() throws IOException {
    var begun = "";
    while (true) {
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      var part = new String(buffer, position, end - position, StandardCharsets.ISO_8859_1);
      var line = begun.isEmpty() ? part : begun + part;
      if (line.length() > MAX_HEAD) {
        throw new IOException("a line of the answer is longer than 64 KiB");
      }
      if (end < limit) {
        position = end + 1;
        return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
      }
      begun = line;
      if (!fill()) {
        throw new EOFException("the server closed the connection");
      }
    }
  }

  int read() throws IOException {
    return position < limit || fill() ? buffer[position++] & 0xff : -1;
  }

  int read(byte[] target, int offset, int length) throws IOException {
    if (position >= limit && !fill()) {
      return -1;
    }
    int taken = Math.min(length, limit - position);
    System.arraycopy(buffer, position, target, offset, taken);
    position += taken;
    return taken;
  }

  private boolean fill() throws IOException {
    limit = Math.max(0, in.read(buffer, 0, BUFFER));
    position = 0;
    return limit > 0;
  }

  /// Whether it was opened for this request: then a server that hangs up did so on purpose.
  boolean isFresh() {
    return fresh;
  }

  void rest() {
    fresh = false;
    usedAt = System.nanoTime();
  }

  long idleNanos() {
    return System.nanoTime() - usedAt;
  }

  /// Ends it at once, also under a thread that reads. The socket below TLS is closed, as closing
  /// TLS would wait for the peer.
  void abort() {
    try {
      raw.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }
}
