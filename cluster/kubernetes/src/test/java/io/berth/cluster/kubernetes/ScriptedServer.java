package io.berth.cluster.kubernetes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/// A server that answers requests, in the order they come, with exactly the bytes that a test gives
/// it, and hangs up when told to.
final class ScriptedServer implements AutoCloseable {

  /// An answer that ends the connection without a byte.
  static final String HANG_UP = "";

  private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  private final BlockingQueue<String> script = new LinkedBlockingQueue<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  ScriptedServer() throws IOException {
    Thread.ofPlatform().daemon().start(this::accept);
  }

  /// The next answer; `CLOSE` at its end hangs up after it.
  ScriptedServer then(String answer) {
    script.add(answer);
    return this;
  }

  static String json(int status, String body) {
    return "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(status, body.length(), body);
  }

  static String chunks(String... chunks) {
    var answer = new StringBuilder("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (var chunk : chunks) {
      answer.append(Integer.toHexString(chunk.length())).append("\r\n");
      answer.append(chunk).append("\r\n");
    }
    return answer.toString();
  }

  /// Method, path and `Authorization` of each request so far.
  List<String> requests() {
    return requests;
  }

  Access access(Credentials credentials) {
    var uri = URI.create("http://127.0.0.1:" + listener.getLocalPort());
    return new Access(uri, "127.0.0.1", null, credentials, "default");
  }

  private void accept() {
    try {
      while (true) {
        var socket = listener.accept();
        Thread.ofPlatform().daemon().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      var in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      while (read(in)) {
        var answer = script.take();
        if (answer.isEmpty()) {
          return;
        }
        boolean close = answer.endsWith("CLOSE");
        var bytes = close ? answer.substring(0, answer.length() - "CLOSE".length()) : answer;
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        if (close) {
          return;
        }
      }
    } catch (IOException | InterruptedException e) {
      // The client left, or the test is over.
    }
  }

  private boolean read(BufferedReader in) throws IOException {
    var first = in.readLine();
    if (first == null) {
      return false;
    }
    var authorization = "";
    int length = 0;
    for (var line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      var header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("authorization: ")) {
        authorization = " " + line.substring("authorization: ".length());
      } else if (header.startsWith("content-length: ")) {
        length = Integer.parseInt(line.substring("content-length: ".length()).strip());
      }
    }
    for (int i = 0; i < length; i++) {
      in.read();
    }
    requests.add(first.replaceAll("\\?.*| HTTP/1.1", "") + authorization);
    return true;
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
