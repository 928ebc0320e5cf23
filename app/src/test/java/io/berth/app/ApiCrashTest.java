package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills a cluster that 32 clients write to over HTTPS, again and again on one folder, and checks
/// what it had promised: every acknowledged write is there, no revision is used twice, and a
/// watcher that resumes misses and repeats nothing.
///
/// Every client has a connection and an object of its own, and counts its steps in it; each
/// [#DELETING]th step deletes the object, the next one creates it anew. So the steps of an object,
/// as a watcher sees them, are 1, 2, 3 and so on. Now and then the cluster is killed while it
/// starts, and a watcher stays away for a few lives of the cluster.
///
/// `-Dcrash.kills=N` sets how often, `-Dcrash.seed=S` when. With `-Dcrash.clock=LIBFAKETIME` the
/// clock of the cluster jumps by up to three hours, before it starts and while it is written to.
class ApiCrashTest {

  private static final int KILLS = Integer.getInteger("crash.kills", 1);
  private static final long SEED = Long.getLong("crash.seed", 7);
  private static final int CLIENTS = 32;
  private static final int WATCHERS = 4;
  private static final int DELETING = 13;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final String OBJECTS = "/api/v1/namespaces/default/configmaps";

  private final Random random = new Random(SEED);
  private final Map<Long, String> usedRevisions = new ConcurrentHashMap<>();
  private final Queue<String> problems = new ConcurrentLinkedQueue<>();
  private final List<Writer> writers = new ArrayList<>();
  private final List<Watcher> watchers = new ArrayList<>();

  @TempDir private Path folder = Path.of("");

  @Test
  void everyPromiseSurvivesBeingKilled() throws Exception {
    for (int i = 0; i < CLIENTS; i++) {
      writers.add(new Writer("c-" + i));
    }
    for (int i = 0; i < WATCHERS; i++) {
      watchers.add(new Watcher());
    }
    for (int kill = 0; kill < KILLS && problems.isEmpty(); kill++) {
      jump();
      if (random.nextInt(8) == 7) {
        ClusterProcess.startAndKill(folder, random.nextInt(2000), options());
      } else {
        writeAndKill(kill);
      }
      if (KILLS > 1) {
        System.out.printf("kill %d: revision %d%n", kill + 1, watchers.getFirst().last);
      }
    }
    try (var cluster = ClusterProcess.start(folder, options());
        var client = cluster.client()) {
      check(client, KILLS);
      for (var watcher : watchers) {
        watcher.readUntilSeen(client);
      }
    }
    assertThat(problems).as("seed %d", SEED).isEmpty();
  }

  private String[] options() {
    return new String[] {"--api-only", "--data", folder.resolve("data").toString()};
  }

  private void jump() throws IOException {
    ClusterProcess.setClock(folder, random.nextInt(-180, 180));
  }

  private void writeAndKill(int kill) throws Exception {
    var enough = new CountDownLatch(100 + random.nextInt(400));
    long nanosMore = random.nextLong(30_000_000);
    try (var cluster = ClusterProcess.start(folder, options());
        var client = cluster.client()) {
      check(client, kill);
      var threads = new ArrayList<Thread>();
      for (var watcher : watchers) {
        if (random.nextInt(4) > 0) {
          threads.add(start(enough, () -> watcher.readUntilCut(client)));
        }
      }
      for (var writer : writers) {
        threads.add(start(enough, () -> writer.write(cluster, enough)));
      }
      jump();
      enough.await();
      LockSupport.parkNanos(nanosMore);
      cluster.kill();
      for (var thread : threads) {
        thread.join();
      }
      client.http().shutdownNow();
    }
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  /// What goes wrong in a thread is a problem, and nobody waits for that thread any more.
  private Thread start(CountDownLatch enough, Work work) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            work.run();
          } catch (InterruptedException | RuntimeException | Error e) {
            problems.add(e.toString());
            while (enough.getCount() > 0) {
              enough.countDown();
            }
          }
        });
  }

  private void check(AdminClient client, int kill) throws Exception {
    var list = ask(client, "GET", OBJECTS, "");
    long revision = revision(list);
    var stored = new HashMap<String, Long>();
    for (var item : list.trees("items")) {
      stored.put(item.textOrEmpty("metadata", "name"), value(item));
    }
    for (var writer : writers) {
      writer.check(stored.getOrDefault(writer.name, 0L), kill);
    }
    long newest = usedRevisions.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
    if (revision < newest) {
      problems.add("revision %d after kill %d, but %d was used".formatted(revision, kill, newest));
    }
    for (var watcher : watchers) {
      if (watcher.last == 0) {
        watcher.last = revision;
      }
    }
  }

  private final class Writer {

    private final String name;
    private long acknowledged;
    private long attempted;

    Writer(String name) {
      this.name = name;
    }

    void write(ClusterProcess cluster, CountDownLatch enough) throws InterruptedException {
      try (var client = cluster.client()) {
        while (true) {
          attempted = acknowledged + 1;
          var answer = step(client);
          if (!isDeletion(attempted)) {
            remember(revision(answer));
          }
          acknowledged = attempted;
          enough.countDown();
        }
      } catch (IOException e) {
        // Killed.
      }
    }

    private Tree step(AdminClient client) throws IOException, InterruptedException {
      var body =
          "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\"},\"data\":{\"value\":\"%d\"}}"
              .formatted(name, attempted);
      if (isDeletion(attempted)) {
        return ask(client, "DELETE", OBJECTS + "/" + name, "");
      }
      return attempted % DELETING == 1
          ? ask(client, "POST", OBJECTS, body)
          : ask(client, "PUT", OBJECTS + "/" + name, body);
    }

    private void remember(long revision) {
      var other = usedRevisions.putIfAbsent(revision, name + "=" + attempted);
      if (other != null) {
        problems.add(
            "revision %d of %s=%d was that of %s".formatted(revision, name, attempted, other));
      }
    }

    /// `value` is 0 when there is no object: it was never created, or its last step deleted it.
    void check(long value, int kill) {
      long step = value > 0 ? value : isDeletion(attempted) ? attempted : acknowledged;
      boolean explained = value > 0 ? !isDeletion(value) : step == 0 || isDeletion(step);
      if (step < acknowledged || step > attempted || !explained) {
        problems.add(
            "%s after kill %d is at %d; acknowledged was %d, attempted %d"
                .formatted(name, kill, value, acknowledged, attempted));
      }
      acknowledged = step;
      attempted = step;
    }
  }

  private static boolean isDeletion(long step) {
    return step > 0 && step % DELETING == 0;
  }

  /// Follows all objects over every crash, from the revision it saw last.
  private final class Watcher {

    private final Map<String, Long> steps = new HashMap<>();
    private volatile long last;

    void readUntilCut(AdminClient client) throws InterruptedException {
      try (var lines = watch(client, last)) {
        lines.forEach(this::read);
      } catch (IOException | UncheckedIOException e) {
        // Killed.
      }
    }

    void readUntilSeen(AdminClient client) throws Exception {
      try (var lines = watch(client, last)) {
        var each = lines.iterator();
        while (!hasSeenAll() && problems.isEmpty()) {
          read(each.next());
        }
      }
    }

    private boolean hasSeenAll() {
      return writers.stream()
          .allMatch(writer -> steps.getOrDefault(writer.name, 0L) == writer.acknowledged);
    }

    private void read(String line) {
      var event = Json.read(line);
      var object = event.treeOrEmpty("object");
      if (event.textOrEmpty("type").equals("ERROR")) {
        problems.add(line);
        return;
      }
      long revision = revision(object);
      if (revision <= last) {
        problems.add("a watcher saw revision %d after %d".formatted(revision, last));
      }
      last = revision;
      var name = object.textOrEmpty("metadata", "name");
      if (name.startsWith("c-")) {
        follow(name, event.textOrEmpty("type"), value(object));
      }
    }

    private void follow(String name, String type, long value) {
      long step = steps.merge(name, 1L, Long::sum);
      var expected = isDeletion(step) ? "DELETED" : step % DELETING == 1 ? "ADDED" : "MODIFIED";
      if (!type.equals(expected) || value != (isDeletion(step) ? step - 1 : step)) {
        problems.add(
            "a watcher of %s at step %d saw %s of value %d".formatted(name, step, type, value));
      }
    }
  }

  private static Tree ask(AdminClient client, String method, String path, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(client.server() + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    var answer = client.http().send(request, BodyHandlers.ofString());
    if (answer.statusCode() == TOO_MANY_REQUESTS) {
      Thread.sleep(1000);
      return ask(client, method, path, body);
    }
    if (answer.statusCode() >= 300) {
      throw new AssertionError("%s %s: %s".formatted(method, path, answer.body()));
    }
    return Json.read(answer.body());
  }

  private static Stream<String> watch(AdminClient client, long from)
      throws IOException, InterruptedException {
    var uri = URI.create(client.server() + OBJECTS + "?watch=1&resourceVersion=" + from);
    return client.http().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofLines()).body();
  }

  private static long revision(Tree object) {
    return Long.parseLong(object.textOrEmpty("metadata", "resourceVersion"));
  }

  private static long value(Tree object) {
    var value = object.textOrEmpty("data", "value");
    return value.isEmpty() ? 0 : Long.parseLong(value);
  }
}
