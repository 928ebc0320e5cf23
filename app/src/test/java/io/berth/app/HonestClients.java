package io.berth.app;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Clients that want to work: one writes and reads objects, one asks the workload API, and one
/// renews a lease every second. Each says how long it took.
final class HonestClients {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

  private final AdminClient admin;
  private final WorkloadApi workloads;
  private final AtomicInteger names = new AtomicInteger();
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());

  HonestClients(AdminClient admin, WorkloadApi workloads) {
    this.admin = admin;
    this.workloads = workloads;
  }

  /// Milliseconds.
  record Times(int count, double p50, double p99, double most) {

    static Times of(List<Long> nanos) {
      var sorted = nanos.stream().sorted().toList();
      return new Times(sorted.size(), at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
    }

    private static double at(List<Long> sorted, double part) {
      return sorted.isEmpty()
          ? 0
          : sorted.get((int) Math.ceil(part * (sorted.size() - 1))) / 1_000_000.0;
    }
  }

  record Result(Times api, Times workloads, Times heartbeats, List<String> failures) {

    int count() {
      return api.count() + workloads.count();
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  Result run(int seconds) throws InterruptedException {
    failures.clear();
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    var lease = "lease-" + names.incrementAndGet();
    var api = new ArrayList<Long>();
    var asked = new ArrayList<Long>();
    var renewed = new ArrayList<Long>();
    var threads =
        List.of(
            Thread.startVirtualThread(() -> repeat(end, 20, api, this::writeAndRead)),
            Thread.startVirtualThread(
                () -> repeat(end, 20, asked, () -> workloads.get("/api/v1/workloads?limit=10"))),
            Thread.startVirtualThread(() -> repeat(end, 1000, renewed, () -> renew(lease))));
    for (var thread : threads) {
      thread.join();
    }
    return new Result(Times.of(api), Times.of(asked), Times.of(renewed), List.copyOf(failures));
  }

  private void repeat(long end, long pauseMillis, List<Long> took, Work work) {
    while (System.nanoTime() < end) {
      long begin = System.nanoTime();
      try {
        work.run();
        took.add(System.nanoTime() - begin);
        Thread.sleep(pauseMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (Exception | AssertionError e) {
        failures.add(String.valueOf(e));
      }
    }
  }

  private void writeAndRead() throws Exception {
    var name = "map-" + names.incrementAndGet();
    send("POST", MAPS, Tree.of("metadata", Tree.of("name", name)));
    send("GET", MAPS + "/" + name, null);
    send("DELETE", MAPS + "/" + name, null);
  }

  private void renew(String name) throws Exception {
    var spec = Tree.of("holderIdentity", "x" + names.incrementAndGet());
    var body =
        Tree.of(
            "apiVersion",
            "coordination.k8s.io/v1",
            "kind",
            "Lease",
            "metadata",
            Tree.of("name", name),
            "spec",
            spec);
    send("PATCH", LEASES + "/" + name + "?fieldManager=soak&force=true", body);
  }

  private void send(String method, String path, @org.jspecify.annotations.Nullable Tree body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(admin.server() + path))
            .header(
                "Content-Type",
                method.equals("PATCH") ? "application/apply-patch+yaml" : "application/json")
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(Json.write(body)))
            .build();
    var answer = admin.http().send(request, BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IllegalStateException(
          "%s %s: %d %s".formatted(method, path, answer.statusCode(), answer.body()));
    }
  }
}
