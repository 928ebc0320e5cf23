package io.berth.app;

import static io.berth.testing.RawHttp2.CONTINUATION;
import static io.berth.testing.RawHttp2.DATA;
import static io.berth.testing.RawHttp2.END_HEADERS;
import static io.berth.testing.RawHttp2.END_STREAM;
import static io.berth.testing.RawHttp2.HEADERS;
import static io.berth.testing.RawHttp2.PING;
import static io.berth.testing.RawHttp2.PRIORITY;
import static io.berth.testing.RawHttp2.RESET;
import static io.berth.testing.RawHttp2.SETTINGS;
import static io.berth.testing.RawHttp2.WINDOW_UPDATE;
import static io.berth.testing.RawHttp2.head;
import static io.berth.testing.RawHttp2.number;

import com.sun.management.OperatingSystemMXBean;
import io.berth.testing.RawHttp2;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;

/// All floods at once against a cluster on this machine, from a process of its own that uses no
/// more than half a core: `Flooder CA-FILE API-PORT WORKLOADS-PORT VIEWER-TOKEN SECONDS`.
///
/// Prints how often each was tried, and how often it was cut off.
final class Flooder {

  private static final double CORES = 0.5;
  private static final String BIG_LIST = "/api/v1/namespaces/soak/configmaps";
  private static final String TOKEN_ROUTE = "/api/v1/token";

  private final SSLContext tls;
  private final int api;
  private final int workloads;
  private final String viewer;
  private final long end;
  private final Pace pace = new Pace();
  private final Map<String, LongAdder> tried = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> cutOff = new ConcurrentHashMap<>();

  private Flooder(SSLContext tls, int api, int workloads, String viewer, long seconds) {
    this.tls = tls;
    this.api = api;
    this.workloads = workloads;
    this.viewer = viewer;
    this.end = System.nanoTime() + seconds * 1_000_000_000;
  }

  public static void main(String[] arguments) throws Exception {
    new Flooder(
            WorkloadApi.trusting(Path.of(arguments[0])),
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            arguments[3],
            Long.parseLong(arguments[4]))
        .run();
  }

  private void run() throws InterruptedException {
    var threads = new ArrayList<Thread>();
    for (int port : new int[] {api, workloads}) {
      var where = port == api ? "api " : "workloads ";
      frames(threads, where, port);
      threads.add(holding(where + "handshakes", 300, () -> handshake(port)));
      threads.add(holding(where + "heads", 100, () -> plain(port, "GET / HTTP/1.1\r\nX: ")));
      threads.add(holding(where + "framed heads", 100, () -> framedHead(port)));
      threads.add(holding(where + "bodies of strangers", 200, () -> plain(port, halfBody(""))));
      threads.add(flood(where + "long paths", () -> plain(port, longPaths())));
      threads.add(flood(where + "pipelined requests", () -> plain(port, pipelined())));
    }
    var bearer = "Authorization: Bearer " + viewer + "\r\n";
    threads.add(holding("viewer: bodies", 200, () -> plain(api, halfBody(bearer))));
    threads.add(holding("viewer: silent readers", 40, () -> plain(api, bigList(bearer))));
    threads.add(holding("viewer: closed windows", 10, this::closedWindow));
    threads.add(holding("viewer: futures", 4, this::futures));
    threads.add(holding("viewer: silent sockets", 100, () -> plain(api, upgrade(bearer))));
    threads.forEach(Thread::start);
    for (var thread : threads) {
      thread.join();
    }
    new TreeMap<>(tried)
        .forEach((name, count) ->
            System.out.printf("flood %s: %d, cut off %d%n", name, count.sum(), cut(name)));
    System.out.printf("flood cores used: %.2f%n", pace.used());
  }

  private long cut(String name) {
    var count = cutOff.get(name);
    return count == null ? 0 : count.sum();
  }

  private void frames(List<Thread> threads, String where, int port) {
    threads.add(
        framed(
            where + "resets",
            port,
            (client, i) -> {
              client.frame(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, head("GET", "/api"));
              client.frame(RESET, 0, 2 * i + 1, number(8));
            }));
    threads.add(
        framed(where + "pings", port, (client, _) -> client.frame(PING, 0, 0, new byte[8])));
    threads.add(framed(where + "settings", port, (client, _) -> client.frame(SETTINGS, 0, 0)));
    threads.add(
        framed(
            where + "windows", port, (client, _) -> client.frame(WINDOW_UPDATE, 0, 0, number(1))));
    threads.add(
        framed(
            where + "priorities", port, (client, _) -> client.frame(PRIORITY, 0, 1, new byte[5])));
    threads.add(
        framed(
            where + "continuations",
            port,
            (client, i) -> {
              if (i == 0) {
                client.frame(HEADERS, 0, 1, head("GET", "/"));
              }
              client.frame(CONTINUATION, 0, 1);
            }));
  }

  private interface Frames {
    void send(RawHttp2 client, int number) throws IOException;
  }

  private interface Opening {
    Closeable open() throws IOException;
  }

  private Thread framed(String name, int port, Frames frames) {
    return flood(
        name,
        () -> {
          var client = new RawHttp2(tls, port);
          Thread.startVirtualThread(() -> drain(client));
          for (int i = 0; System.nanoTime() < end; i++) {
            frames.send(client, i);
            if (i % 100 == 99) {
              client.flush();
              pace.keep();
            }
          }
          return client;
        });
  }

  private static void drain(RawHttp2 client) {
    try {
      while (true) {
        client.read();
      }
    } catch (IOException e) {
      // It is at its end.
    }
  }

  /// Opens, does all it can, and begins again.
  private Thread flood(String name, Opening opening) {
    return Thread.ofPlatform()
        .name(name)
        .unstarted(() -> {
          while (System.nanoTime() < end) {
            try (var _ = open(name, opening)) {
              pace.keep();
            } catch (IOException e) {
              count(cutOff, name);
              pace.keep();
            }
          }
        });
  }

  /// Keeps `many` open, and opens new ones all the time.
  private Thread holding(String name, int many, Opening opening) {
    return Thread.ofPlatform()
        .name(name)
        .unstarted(() -> {
          var held = new ArrayDeque<Closeable>();
          while (System.nanoTime() < end) {
            try {
              held.add(open(name, opening));
              if (held.size() > many) {
                held.remove().close();
              }
            } catch (IOException e) {
              count(cutOff, name);
            }
            pace.keep();
          }
        });
  }

  private Closeable open(String name, Opening opening) throws IOException {
    count(tried, name);
    return opening.open();
  }

  private static void count(Map<String, LongAdder> counts, String name) {
    counts.computeIfAbsent(name, _ -> new LongAdder()).increment();
  }

  private static Closeable handshake(int port) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
    return socket;
  }

  private Closeable plain(int port, String text) throws IOException {
    var socket = tls.getSocketFactory().createSocket("127.0.0.1", port);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  private Closeable framedHead(int port) throws IOException {
    return held(new RawHttp2(tls, port).frame(HEADERS, 0, 1, head("GET", "/")));
  }

  private static RawHttp2 held(RawHttp2 client) throws IOException {
    client.flush();
    return client;
  }

  private Closeable closedWindow() throws IOException {
    var client = new RawHttp2(tls, api, (byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
    for (int i = 0; i < 100; i++) {
      client.frame(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, asViewer("GET", BIG_LIST));
    }
    return held(client);
  }

  private Closeable futures() throws IOException {
    var client = new RawHttp2(tls, api);
    for (int i = 0; i < 200; i++) {
      var path = i % 2 == 0 ? BIG_LIST + "?resourceVersion=99999999999" : BIG_LIST;
      int last = i % 2 == 0 ? END_STREAM : 0;
      client.frame(
          HEADERS, END_HEADERS | last, 2 * i + 1, asViewer(i % 2 == 0 ? "GET" : "POST", path));
      if (i % 2 == 1) {
        client.frame(DATA, 0, 2 * i + 1, new byte[1000]);
      }
    }
    return held(client);
  }

  private byte[] asViewer(String method, String path) {
    return head(method, path, "authorization", "Bearer " + viewer);
  }

  private static String halfBody(String headers) {
    return "POST %s HTTP/1.1\r\nHost: x\r\n%sContent-Type: application/json\r\nContent-Length: 3000000\r\n\r\n%s"
        .formatted(headers.isEmpty() ? TOKEN_ROUTE : BIG_LIST, headers, "x".repeat(10_000));
  }

  private static String bigList(String headers) {
    return "GET %s HTTP/1.1\r\nHost: x\r\n%sAccept-Encoding: gzip\r\n\r\n"
        .formatted(BIG_LIST, headers);
  }

  private static String upgrade(String headers) {
    var lines =
        List.of(
            "GET " + BIG_LIST + "?watch=true HTTP/1.1",
            "Host: x",
            headers + "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==");
    return String.join("\r\n", lines) + "\r\n\r\n";
  }

  private static String longPaths() {
    return "POST /%s HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
        .formatted("x".repeat(60_000))
        .repeat(5);
  }

  private static String pipelined() {
    return "GET /api HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1000);
  }

  /// Holds the whole process to its part of the processor, as the operating system counts it.
  private static final class Pace {

    private final OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final long began = System.nanoTime();
    private final long before = system.getProcessCpuTime();

    double used() {
      return (double) (system.getProcessCpuTime() - before) / (System.nanoTime() - began);
    }

    void keep() {
      try {
        while (used() > CORES) {
          Thread.sleep(20);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
