package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.codec.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills a cluster that 32 clients write to over HTTPS, again and again on one folder, and checks
/// what it had promised: every acknowledged write is there, no revision is used twice, and a
/// watcher that resumes misses and repeats nothing.
///
/// Every client counts up in an object of its own, so that the values of an object, as a watcher
/// sees them, are 1, 2, 3 and so on. `-Dcrash.kills=N` sets how often, `-Dcrash.seed=S` when.
class ApiCrashTest {

  private static final int KILLS = Integer.getInteger("crash.kills", 1);
  private static final long SEED = Long.getLong("crash.seed", 7);
  private static final int CLIENTS = 32;
  private static final String OBJECTS = "/api/v1/namespaces/default/configmaps";

  private final Random random = new Random(SEED);
  private final Map<Long, String> usedRevisions = new ConcurrentHashMap<>();
  private final List<Client> clients = new ArrayList<>();
  private final Watcher watcher = new Watcher();

  @TempDir private Path folder = Path.of("");

  @Test
  void everyPromiseSurvivesBeingKilled() throws Exception {
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Client("c-" + i));
    }
    for (int kill = 0; kill < KILLS; kill++) {
      try (var server = Server.start(folder)) {
        check(server, kill);
        writeAndKill(server);
      }
    }
    try (var server = Server.start(folder)) {
      check(server, KILLS);
      watcher.readUntilSeen(server, clients);
    }
    assertThat(watcher.problems).as("seed %d", SEED).isEmpty();
  }

  private void check(Server server, int kill) throws Exception {
    var list = Json.read(server.ask("GET", OBJECTS, ""));
    long revision = Long.parseLong(list.textOrEmpty("metadata", "resourceVersion"));
    var stored = new HashMap<String, Long>();
    for (var item : list.trees("items")) {
      stored.put(
          item.textOrEmpty("metadata", "name"),
          Long.parseLong(
              item.textOrEmpty("data", "value").isEmpty()
                  ? "0"
                  : item.textOrEmpty("data", "value")));
    }
    for (var client : clients) {
      long value = stored.getOrDefault(client.name, 0L);
      assertThat(value)
          .as("%s after kill %d, seed %d", client.name, kill, SEED)
          .isBetween(client.acknowledged, client.attempted);
      client.acknowledged = value;
      client.attempted = value;
    }
    for (long used : usedRevisions.keySet()) {
      assertThat(revision)
          .as("revision after kill %d, seed %d", kill, SEED)
          .isGreaterThanOrEqualTo(used);
    }
    if (kill == 0) {
      watcher.last = revision;
    }
  }

  private void writeAndKill(Server server) throws Exception {
    var enough = new CountDownLatch(100 + random.nextInt(400));
    var threads = new ArrayList<Thread>();
    threads.add(Thread.ofVirtual().start(() -> watcher.readUntilCut(server)));
    for (var client : clients) {
      threads.add(Thread.ofVirtual().start(() -> client.write(server, enough)));
    }
    enough.await();
    server.kill();
    for (var thread : threads) {
      thread.join();
    }
  }

  private final class Client {

    private final String name;
    private volatile long acknowledged;
    private volatile long attempted;

    Client(String name) {
      this.name = name;
    }

    void write(Server server, CountDownLatch enough) {
      try {
        while (true) {
          attempted = acknowledged + 1;
          var body =
              "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\"},\"data\":{\"value\":\"%d\"}}"
                  .formatted(name, attempted);
          var answer =
              attempted == 1
                  ? server.ask("POST", OBJECTS, body)
                  : server.ask("PUT", OBJECTS + "/" + name, body);
          var revision =
              Long.parseLong(Json.read(answer).textOrEmpty("metadata", "resourceVersion"));
          var other = usedRevisions.put(revision, name + "=" + attempted);
          assertThat(other).as("revision %d", revision).isNull();
          acknowledged = attempted;
          enough.countDown();
        }
      } catch (IOException e) {
        // Killed.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Follows all objects over every crash, from the revision it saw last.
  private static final class Watcher {

    private final Map<String, Long> values = new HashMap<>();
    private final List<String> problems = new ArrayList<>();
    private long last;

    void readUntilCut(Server server) {
      try (var lines = server.watch(last)) {
        lines.forEach(this::read);
      } catch (IOException | UncheckedIOException e) {
        // Killed.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void readUntilSeen(Server server, List<Client> clients) throws Exception {
      try (var lines = server.watch(last)) {
        var each = lines.iterator();
        while (!hasSeen(clients) && problems.isEmpty()) {
          read(each.next());
        }
      }
    }

    private boolean hasSeen(List<Client> clients) {
      return clients.stream()
          .allMatch(client -> values.getOrDefault(client.name, 0L) == client.acknowledged);
    }

    private void read(String line) {
      var event = Json.read(line);
      var object = event.treeOrEmpty("object");
      var name = object.textOrEmpty("metadata", "name");
      if (event.textOrEmpty("type").equals("ERROR")) {
        problems.add(line);
        return;
      }
      long revision = Long.parseLong(object.textOrEmpty("metadata", "resourceVersion"));
      if (revision <= last) {
        problems.add("revision %d after %d".formatted(revision, last));
      }
      last = revision;
      if (name.startsWith("c-")) {
        long value = Long.parseLong(object.textOrEmpty("data", "value"));
        long before = values.getOrDefault(name, 0L);
        if (value != before + 1) {
          problems.add("%s went from %d to %d".formatted(name, before, value));
        }
        values.put(name, value);
      }
    }
  }

  /// A cluster in a process of its own.
  private record Server(Process process, AdminClient admin) implements AutoCloseable {

    static Server start(Path folder) throws Exception {
      var kubeconfig = folder.resolve("kubeconfig");
      Files.deleteIfExists(kubeconfig);
      var process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-Xmx512m",
                  "--enable-native-access=ALL-UNNAMED",
                  "--sun-misc-unsafe-memory-access=allow",
                  "-cp",
                  System.getProperty("java.class.path"),
                  "io.berth.app.Main",
                  "up",
                  "--api-only",
                  "--port",
                  "0",
                  "--data",
                  folder.resolve("data").toString(),
                  "--kubeconfig",
                  kubeconfig.toString())
              .redirectErrorStream(true)
              .start();
      var said = new ArrayList<String>();
      var out = process.inputReader();
      for (var line = out.readLine(); line != null; line = out.readLine()) {
        said.add(line);
        if (line.contains("ready in")) {
          // Goes on reading, so that the process never waits for us.
          Thread.ofVirtual().start(() -> out.lines().forEach(_ -> {}));
          return new Server(process, AdminClient.of(kubeconfig));
        }
      }
      throw new AssertionError("the cluster did not start: " + said);
    }

    String ask(String method, String path, String body) throws IOException, InterruptedException {
      var request =
          HttpRequest.newBuilder(URI.create(admin.server() + path))
              .header("Content-Type", "application/json")
              .method(method, BodyPublishers.ofString(body))
              .build();
      var answer = admin.http().send(request, BodyHandlers.ofString());
      if (answer.statusCode() >= 300) {
        throw new AssertionError(answer.body());
      }
      return answer.body();
    }

    java.util.stream.Stream<String> watch(long from) throws IOException, InterruptedException {
      var uri = URI.create(admin.server() + OBJECTS + "?watch=1&resourceVersion=" + from);
      return admin.http().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofLines()).body();
    }

    void kill() throws InterruptedException {
      process.destroyForcibly();
      process.waitFor();
    }

    @Override
    public void close() {
      process.destroyForcibly();
      process.onExit().join();
      admin.http().shutdownNow();
      admin.close();
    }
  }
}
