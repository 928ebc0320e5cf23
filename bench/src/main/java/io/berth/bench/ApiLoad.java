package io.berth.bench;

import io.berth.api.Tree;
import io.berth.cluster.kubernetes.Access;
import io.berth.codec.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The load that every API server gets, in the same order: pods are created and listed, events fan
/// out to watchers, and single writes are timed without and with company.
///
/// Everything happens in namespaces of its own, which stay behind.
final class ApiLoad {

  private static final int CLIENTS = 32;
  private static final int WATCHERS = 100;
  private static final int LISTS = 5;
  private static final String JSON = "application/json";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

  private final Access access;
  private final LongSupplier cpuMillis;
  private final String run = Long.toString(System.nanoTime(), 36);
  private final Map<String, Figure> figures = new LinkedHashMap<>();

  /// `cpuMillis` tells what the server has used so far.
  ApiLoad(Access access, LongSupplier cpuMillis) {
    this.access = access;
    this.cpuMillis = cpuMillis;
  }

  /// A measurement, and the server's processor time for one of what it counts.
  record Figure(double value, double cpuMillis) {}

  Map<String, Figure> run(int pods, int events, int writes) throws Exception {
    createNamespaces("warm", "pods", "events", "writes");
    create("warm", pods / 2);
    rate("creates/s, 32 clients", pods, () -> create("pods", pods));
    list("list of %,d pods, JSON, ms".formatted(pods), JSON);
    list("list of %,d pods, protobuf, ms".formatted(pods), PROTOBUF);
    rate("events/s to 100 watchers", events * WATCHERS, () -> fanOut(events));
    timeWrites("alone", writes);
    timeWritesInCompany(writes);
    return figures;
  }

  private void createNamespaces(String... names) throws IOException {
    try (var connection = new ApiConnection(access)) {
      for (var name : names) {
        var namespace =
            Tree.of("apiVersion", "v1", "kind", "Namespace")
                .put("metadata", Tree.of("name", namespace(name)));
        connection.call("POST", "/api/v1/namespaces", JSON, Json.write(namespace), 201);
        // kube-apiserver wants a service account in pods; its controller may not be running.
        var account =
            Tree.of("apiVersion", "v1", "kind", "ServiceAccount")
                .put("metadata", Tree.of("name", "bench"));
        connection.call("POST", path(name, "serviceaccounts"), JSON, Json.write(account), 201);
      }
    }
  }

  private void create(String namespace, int count) throws Exception {
    var next = new AtomicInteger();
    inParallel(
        CLIENTS,
        () -> {
          try (var connection = new ApiConnection(access)) {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
              connection.call(
                  "POST", path(namespace, "pods"), JSON, Json.write(pod("pod-" + i)), 201);
            }
          }
        });
  }

  private void list(String name, String accept) throws Exception {
    try (var connection = new ApiConnection(access)) {
      var nanos = new long[LISTS];
      long cpu = cpuMillis.getAsLong();
      for (int i = 0; i < LISTS; i++) {
        long begin = System.nanoTime();
        connection.call("GET", path("pods", "pods"), accept, null, 200);
        nanos[i] = System.nanoTime() - begin;
      }
      Arrays.sort(nanos);
      figures.put(
          name, new Figure(nanos[LISTS / 2] / 1e6, (double) (cpuMillis.getAsLong() - cpu) / LISTS));
    }
  }

  private void fanOut(int events) throws Exception {
    try (var watchers = new Watchers("events", events)) {
      var next = new AtomicInteger();
      inParallel(
          CLIENTS,
          () -> {
            try (var connection = new ApiConnection(access)) {
              for (int i = next.getAndIncrement(); i < events; i = next.getAndIncrement()) {
                connection.call(
                    "POST", path("events", "configmaps"), JSON, configMap("event-" + i), 201);
              }
            }
          });
      watchers.await();
    }
  }

  private void timeWrites(String company, int writes) throws Exception {
    var nanos = new long[writes];
    try (var connection = new ApiConnection(access)) {
      for (int i = 0; i < writes; i++) {
        var body = configMap(company.replace(' ', '-') + "-" + i);
        long begin = System.nanoTime();
        connection.call("POST", path("writes", "configmaps"), JSON, body, 201);
        nanos[i] = System.nanoTime() - begin;
      }
    }
    Arrays.sort(nanos);
    figures.put("write %s, p50 ms".formatted(company), new Figure(nanos[writes / 2] / 1e6, 0));
    figures.put(
        "write %s, p99 ms".formatted(company), new Figure(nanos[writes * 99 / 100] / 1e6, 0));
  }

  private void timeWritesInCompany(int writes) throws Exception {
    var over = new AtomicBoolean();
    try (var watchers = new Watchers("writes", writes)) {
      var lister =
          Thread.ofPlatform()
              .start(() -> {
                try (var connection = new ApiConnection(access)) {
                  while (!over.get()) {
                    connection.call("GET", path("pods", "pods"), JSON, null, 200);
                  }
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      timeWrites("in company", writes);
      over.set(true);
      lister.join();
      watchers.await();
    }
  }

  private void rate(String name, int count, Work work) throws Exception {
    long cpu = cpuMillis.getAsLong();
    long begin = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - begin) / 1e9;
    figures.put(name, new Figure(count / seconds, (double) (cpuMillis.getAsLong() - cpu) / count));
  }

  private static void inParallel(int threads, Work work) throws Exception {
    var trouble = new AtomicReference<@Nullable Exception>();
    var started = new ArrayList<Thread>();
    for (int i = 0; i < threads; i++) {
      started.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  work.run();
                } catch (Exception e) {
                  trouble.set(e);
                }
              }));
    }
    for (var thread : started) {
      thread.join();
    }
    var cause = trouble.get();
    if (cause != null) {
      throw cause;
    }
  }

  private String namespace(String name) {
    return "bench-%s-%s".formatted(run, name);
  }

  private String path(String namespace, String resource) {
    return "/api/v1/namespaces/%s/%s".formatted(namespace(namespace), resource);
  }

  static Tree pod(String name) {
    var container =
        Tree.of("name", "app", "image", "example/app:1")
            .put(
                "resources",
                Tree.of(
                    "requests", Tree.of("cpu", "100m", "memory", "128Mi"),
                    "limits", Tree.of("cpu", "200m", "memory", "256Mi")))
            .put("env", List.of(Tree.of("name", "MODE", "value", "bench")))
            .put("ports", List.of(Tree.of("containerPort", 8080)));
    return Tree.of("apiVersion", "v1", "kind", "Pod")
        .put(
            "metadata", Tree.of("name", name, "labels", Tree.of("app", "bench", "tier", "backend")))
        .put(
            "spec",
            Tree.of(
                "serviceAccountName",
                "bench",
                "automountServiceAccountToken",
                false,
                "containers",
                List.of(container)));
  }

  private static byte[] configMap(String name) {
    return Json.write(
        Tree.of("apiVersion", "v1", "kind", "ConfigMap")
            .put("metadata", Tree.of("name", name))
            .put("data", Tree.of("key", "value of " + name)));
  }

  /// Watchers of the ConfigMaps of a namespace that wait until all have seen as many events, or
  /// until the server ends their watches because they are slow.
  private final class Watchers implements AutoCloseable {

    private final List<ApiConnection> connections = new ArrayList<>();
    private final CountDownLatch done = new CountDownLatch(WATCHERS);
    private final AtomicInteger cut = new AtomicInteger();
    private volatile boolean closed;

    Watchers(String namespace, int events) throws IOException {
      var revision = revision(path(namespace, "configmaps"));
      for (int i = 0; i < WATCHERS; i++) {
        var connection = new ApiConnection(access);
        connections.add(connection);
        connection.watch(path(namespace, "configmaps") + "?watch=1&resourceVersion=" + revision);
        Thread.ofVirtual().start(() -> follow(connection, events));
      }
    }

    // What is there already is not counted.
    private String revision(String target) throws IOException {
      try (var connection = new ApiConnection(access)) {
        return connection.fetch(target + "?limit=1").textOrEmpty("metadata", "resourceVersion");
      }
    }

    private void follow(ApiConnection connection, int events) {
      try {
        int seen = 0;
        while (seen < events) {
          seen += connection.countLines();
        }
      } catch (IOException e) {
        if (!closed) {
          cut.incrementAndGet();
        }
      } finally {
        done.countDown();
      }
    }

    void await() throws InterruptedException {
      done.await();
      if (cut.get() > 0) {
        System.out.printf("%d of %d watches were ended by the server%n", cut.get(), WATCHERS);
      }
    }

    @Override
    public void close() throws IOException {
      closed = true;
      for (var connection : connections) {
        connection.close();
      }
    }
  }

  private interface Work {
    void run() throws Exception;
  }
}
