package io.berth.bench;

import com.sun.management.OperatingSystemMXBean;
import io.berth.admission.AdmissionChain;
import io.berth.api.Resource;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.Cluster.Watcher;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.scheduler.Scheduler;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/// From the creation of a pod to its binding on the embedded cluster: admission, store, watch,
/// decision, bind, watch, everything in this process. No kubelets and no controllers.
///
/// `burst` creates pods as fast as the API takes them and counts until the last one is bound, and
/// until the last event is written, which yields to binds; `idle` creates one pod at a time and
/// waits for it. The compiler is busy for five rounds or so: those warm up, and what counts is the
/// best of the last [#JUDGED].
public final class SchedulerBenchmark {

  private static final int CREATORS = 2;
  private static final int JUDGED = 3;

  private final Cluster cluster;
  private final Scheduler scheduler;
  private final Bindings bindings = new Bindings();

  private SchedulerBenchmark(Cluster cluster, Scheduler scheduler) {
    this.cluster = cluster;
    this.scheduler = scheduler;
  }

  public static void main(String[] arguments) throws Exception {
    int nodes = Integer.parseInt(option(arguments, "--nodes", "5000"));
    int pods = Integer.parseInt(option(arguments, "--pods", "30000"));
    int rounds = Integer.parseInt(option(arguments, "--rounds", "8"));
    try (var store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
        var server =
            new ApiServer(
                store,
                Authority.open(null),
                AdmissionChain.of(List.of(), List.of("TaintNodesByCondition")),
                ServerSettings.plain())) {
      var clock = InstantSource.system();
      try (var scheduler =
          new Scheduler(
              new InProcessCluster(server.registry(), "kube-scheduler", clock),
              SchedulerConfiguration.DEFAULT,
              clock,
              1)) {
        var cluster = new InProcessCluster(server.registry(), "bench", clock);
        var benchmark = new SchedulerBenchmark(cluster, scheduler);
        benchmark.createNodes(nodes);
        scheduler.start();
        benchmark.watch();
        long best = 0;
        for (int round = 0; round < rounds; round++) {
          boolean warmUp = round < rounds - JUDGED;
          var burst = benchmark.burst(nodes, pods, round);
          print(burst.put("warmUp", warmUp));
          print(benchmark.idle(nodes, 2000, round).put("warmUp", warmUp));
          best = warmUp ? 0 : Math.max(best, burst.number(0, "boundPerSecond"));
        }
        print(Tree.of("shape", "best burst of the last " + JUDGED, "boundPerSecond", best));
        System.out.println("load at the end: " + scheduler.load());
      }
    }
  }

  private static String option(String[] arguments, String name, String otherwise) {
    int at = Arrays.asList(arguments).indexOf(name);
    return at < 0 ? otherwise : arguments[at + 1];
  }

  private static void print(Tree line) {
    System.out.println(Json.text(line));
  }

  private void createNodes(int count) {
    for (int i = 0; i < count; i++) {
      var node =
          Tree.of("apiVersion", "v1", "kind", "Node")
              .put(
                  "metadata",
                  Tree.of(
                      "name",
                      "node-" + i,
                      "labels",
                      Tree.of(
                          "kubernetes.io/hostname",
                          "node-" + i,
                          "topology.kubernetes.io/zone",
                          "zone-" + i % 3)));
      var room = Tree.of("cpu", "64", "memory", "256Gi", "pods", "500");
      node.put("status", Tree.of("capacity", room.copy(), "allocatable", room));
      cluster.create(Resource.NODES, node);
    }
  }

  private void watch() {
    var page = cluster.list(Resource.PODS, "", Selection.ALL);
    cluster.watch(Resource.PODS, "", Selection.ALL, page.revision(), bindings);
  }

  private Tree burst(int nodes, int pods, int round) throws InterruptedException {
    var done = bindings.expect(pods);
    var process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long cpuNanos = process.getProcessCpuTime();
    long begin = System.nanoTime();
    var creators = new Thread[CREATORS];
    for (int c = 0; c < CREATORS; c++) {
      int first = c;
      creators[c] =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = first; i < pods; i += CREATORS) {
                  cluster.create(Resource.PODS, pod("burst-%d-%d".formatted(round, i)));
                }
              });
    }
    for (var creator : creators) {
      creator.join();
    }
    long created = System.nanoTime();
    done.await();
    long bound = System.nanoTime();
    awaitReports();
    long told = System.nanoTime();
    return Tree.of(
        "shape",
        "burst",
        "nodes",
        (long) nodes,
        "pods",
        (long) pods,
        "createdPerSecond",
        Math.round(pods * 1e9 / (created - begin)),
        "boundPerSecond",
        Math.round(pods * 1e9 / (bound - begin)),
        "toldPerSecond",
        Math.round(pods * 1e9 / (told - begin)),
        "cpuMicrosPerPod",
        (process.getProcessCpuTime() - cpuNanos) / pods / 1000);
  }

  /// Events follow the binds: until they are written, what is measured next would pay for them.
  private void awaitReports() throws InterruptedException {
    do {
      scheduler.wake();
      Thread.sleep(5);
    } while (scheduler.load().waitingReports() > 0);
  }

  private Tree idle(int nodes, int pods, int round) throws InterruptedException {
    var micros = new long[pods];
    for (int i = 0; i < pods; i++) {
      var done = bindings.expect(1);
      long begin = System.nanoTime();
      cluster.create(Resource.PODS, pod("idle-%d-%d".formatted(round, i)));
      done.await();
      micros[i] = (System.nanoTime() - begin) / 1000;
    }
    awaitReports();
    Arrays.sort(micros);
    return Tree.of(
        "shape",
        "idle",
        "nodes",
        (long) nodes,
        "pods",
        (long) pods,
        "p50Micros",
        micros[pods / 2],
        "p99Micros",
        micros[pods * 99 / 100],
        "maxMicros",
        micros[pods - 1]);
  }

  private static Tree pod(String name) {
    return Tree.of("apiVersion", "v1", "kind", "Pod")
        .put(
            "metadata",
            Tree.of("namespace", "default", "name", name, "labels", Tree.of("app", "bench")))
        .put(
            "spec",
            Tree.of(
                "containers",
                List.of(
                    Tree.of(
                        "name",
                        "app",
                        "image",
                        "example/app:1",
                        "resources",
                        Tree.of("requests", Tree.of("cpu", "100m", "memory", "128Mi"))))));
  }

  /// Counts pods that have a node, each once.
  private static final class Bindings implements Watcher {

    private final Map<String, Boolean> bound = new ConcurrentHashMap<>();
    private volatile CountDownLatch expected = new CountDownLatch(0);

    CountDownLatch expect(int pods) {
      bound.clear();
      expected = new CountDownLatch(pods);
      return expected;
    }

    private void saw(Tree pod) {
      if (!pod.textOrEmpty("spec", "nodeName").isEmpty()
          && bound.put(pod.textOrEmpty("metadata", "name"), true) == null) {
        expected.countDown();
      }
    }

    @Override
    public void added(Tree object) {
      saw(object);
    }

    @Override
    public void modified(Tree object) {
      saw(object);
    }

    @Override
    public void deleted(Tree object) {}

    @Override
    public void ended(boolean expired) {
      if (expired) {
        throw new IllegalStateException("the benchmark fell behind; create fewer pods");
      }
    }
  }
}
