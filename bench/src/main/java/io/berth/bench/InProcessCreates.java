package io.berth.bench;

import io.berth.admission.AdmissionChain;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Creates pods through the API in this process, without HTTP: what the registry and the store can
/// do.
final class InProcessCreates {

  private static final int CLIENTS = 32;

  private InProcessCreates() {}

  /// Pods a second of the second half; the first half warms up.
  static double measure(Path parent, boolean durable, int pods) throws Exception {
    var settings = Settings.of(new Codec(Json::write, Json::readLenient));
    var folder = Files.createTempDirectory(parent, "bench-store");
    try (var store =
            durable
                ? Store.open(folder.resolve("data"), settings).store()
                : Store.inMemory(settings);
        var server =
            new ApiServer(
                store,
                Authority.open(null),
                AdmissionChain.of(List.of(), List.of()),
                ServerSettings.plain())) {
      var cluster = new InProcessCluster(server.registry(), "bench", InstantSource.system());
      cluster.create(
          Resource.SERVICE_ACCOUNTS,
          Tree.of("metadata", Tree.of("namespace", "default", "name", "bench")));
      create(cluster, "first", pods);
      long begin = System.nanoTime();
      create(cluster, "second", pods);
      return pods * 1e9 / (System.nanoTime() - begin);
    } finally {
      try (var files = Files.walk(folder)) {
        for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void create(Cluster cluster, String prefix, int pods) throws InterruptedException {
    var next = new AtomicInteger();
    var created = new AtomicInteger();
    var clients = new ArrayList<Thread>();
    for (int client = 0; client < CLIENTS; client++) {
      clients.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int i = next.getAndIncrement(); i < pods; i = next.getAndIncrement()) {
                  var pod = ApiLoad.pod(prefix + "-" + i);
                  cluster.create(Resource.PODS, pod.putAt("default", "metadata", "namespace"));
                  created.incrementAndGet();
                }
              }));
    }
    for (var client : clients) {
      client.join();
    }
    if (created.get() != pods) {
      throw new IllegalStateException(
          "only %d of %d pods were created".formatted(created.get(), pods));
    }
  }
}
