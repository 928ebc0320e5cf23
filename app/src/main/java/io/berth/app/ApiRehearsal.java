package io.berth.app;

import io.berth.api.Tree;
import io.berth.cluster.kubernetes.Access;
import io.berth.codec.Json;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Has clients create and list pods on a cluster of this process, over HTTPS, often enough that the
/// AOT cache learns what of the server is hot: a new server then compiles that at once, instead of
/// finding out under its first load.
final class ApiRehearsal {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final int CLIENTS = 4;
  private static final int PODS_EACH = 500;
  private static final int LISTS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Access access;

  ApiRehearsal(Path kubeconfig) {
    this.access = Access.kubeconfig(kubeconfig, "");
  }

  void run() throws InterruptedException {
    var clients = new ArrayList<Thread>();
    for (int client = 0; client < CLIENTS; client++) {
      int number = client;
      clients.add(Thread.ofVirtual().start(() -> createAndList(number)));
    }
    for (var client : clients) {
      client.join();
    }
  }

  private void createAndList(int client) {
    try (var connection = new Connection(access)) {
      for (int i = 0; i < PODS_EACH; i++) {
        connection.send("POST", PODS, "application/json", Json.write(pod(client + "-" + i)));
      }
      for (int i = 0; i < LISTS; i++) {
        for (var accept : List.of("application/json", "application/vnd.kubernetes.protobuf")) {
          connection.send("GET", PODS + "?limit=500", accept, new byte[0]);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("the rehearsal found no server", e);
    }
  }

  /// It waits for a scheduler that nobody runs.
  private static Tree pod(String name) {
    var container =
        Tree.of("name", "app", "image", "example/app:1")
            .put(
                "resources",
                Tree.of(
                    "requests", Tree.of("cpu", "100m", "memory", "128Mi"),
                    "limits", Tree.of("cpu", "200m", "memory", "256Mi")))
            .put("env", List.of(Tree.of("name", "MODE", "value", "rehearsal")))
            .put("ports", List.of(Tree.of("containerPort", 8080)));
    return Tree.of("apiVersion", "v1", "kind", "Pod")
        .put("metadata", Tree.of("name", "api-" + name, "labels", Tree.of("app", "rehearsal")))
        .put("spec", Tree.of("schedulerName", "nobody", "containers", List.of(container)));
  }

  /// HTTP/1.1 on one connection; answers are read and forgotten.
  private static final class Connection implements AutoCloseable {

    private final Access access;
    private final Socket socket;
    private final InputStream in;

    Connection(Access access) throws IOException {
      this.access = access;
      this.socket = access.connect(PATIENCE);
      this.in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
    }

    void send(String method, String target, String accept, byte[] body) throws IOException {
      var head =
          "%s %s HTTP/1.1\r\nHost: %s\r\nAccept: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
              .formatted(method, target, access.server().getRawAuthority(), accept, body.length);
      var out = socket.getOutputStream();
      out.write(head.getBytes(StandardCharsets.ISO_8859_1));
      out.write(body);
      long length = 0;
      for (var line = line(); !line.isEmpty(); line = line()) {
        var header = line.toLowerCase(Locale.ROOT);
        if (header.startsWith("content-length:")) {
          length = Long.parseLong(header.substring(15).strip());
        }
      }
      in.skipNBytes(length);
    }

    private String line() throws IOException {
      var line = new StringBuilder();
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
  }
}
