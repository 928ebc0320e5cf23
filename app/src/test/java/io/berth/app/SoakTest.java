package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// All floods at once, from strangers and from one viewer, against a cluster of 512 MiB: those who
/// mean well go on, on both ports.
///
/// In the build for a few seconds. `-Dsoak.seconds=600` goes on for longer and then also compares
/// how long requests take with how long they take in peace; for an idle machine.
class SoakTest {

  private static final int SECONDS = Integer.getInteger("soak.seconds", 5);
  private static final int BRIEF = 30;

  @TempDir private Path folder = Path.of("");

  @Test
  void thoseWhoMeanWellGoOn() throws Exception {
    try (var cluster =
        ClusterProcess.startAsShipped(
            folder, "--data", folder.resolve("data").toString(), "--workloads-port", "0")) {
      var run = Json.read(Files.readAllBytes(runFile()));
      var workloads = new WorkloadApi(run.textOrEmpty("workloads"), folder.resolve("data"));
      try (var admin = cluster.client()) {
        var viewer = prepare(admin);
        var honest = new HonestClients(admin, workloads);
        var quiet = honest.run(Math.min(SECONDS, 60));
        var flooder = flooder(admin, run, viewer);
        var flooded = honest.run(SECONDS);
        flooder.waitFor();

        System.out.println("soak quiet:   " + quiet);
        System.out.println("soak flooded: " + flooded);
        System.out.println("soak memory:  " + memory(cluster));
        metrics(admin).forEach(System.out::println);
        assertThat(cluster.process().isAlive()).isTrue();
        assertThat(flooded.failures()).isEmpty();
        assertThat(flooded.count()).isPositive();
        if (SECONDS >= BRIEF) {
          assertThat(flooded.api().p99()).isLessThan(5 * quiet.api().p99());
          assertThat(flooded.workloads().p99()).isLessThan(5 * quiet.workloads().p99());
          assertThat(flooded.heartbeats().most()).isLessThan(10_000);
        }
      }
    }
  }

  private Path runFile() throws IOException {
    try (var files = Files.walk(folder.resolve("data"))) {
      return files.filter(file -> file.endsWith("run.json")).findFirst().orElseThrow();
    }
  }

  /// Something to read, and an account that may read it.
  private static String prepare(AdminClient admin) throws Exception {
    send(admin, "POST", "/api/v1/namespaces", named("soak"));
    var random = new Random(1);
    for (int i = 0; i < 20; i++) {
      var bytes = new byte[400_000];
      random.nextBytes(bytes);
      send(
          admin,
          "POST",
          "/api/v1/namespaces/soak/configmaps",
          named("big-" + i)
              .put(
                  "binaryData", Tree.of("x", java.util.Base64.getEncoder().encodeToString(bytes))));
    }
    send(admin, "POST", "/api/v1/namespaces/soak/serviceaccounts", named("viewer"));
    send(
        admin,
        "POST",
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        named("soak-viewer")
            .put(
                "roleRef",
                Tree.of(
                    "apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name", "view"))
            .put(
                "subjects",
                List.of(Tree.of("kind", "ServiceAccount", "name", "viewer", "namespace", "soak"))));
    return send(
            admin,
            "POST",
            "/api/v1/namespaces/soak/serviceaccounts/viewer/token",
            Tree.of("spec", Tree.of("expirationSeconds", 7200)))
        .textOrEmpty("status", "token");
  }

  private static Tree named(String name) {
    return Tree.of("metadata", Tree.of("name", name));
  }

  private static Tree send(AdminClient admin, String method, String path, Tree body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(admin.server() + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofByteArray(Json.write(body)))
            .build();
    var answer = admin.http().send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return Json.read(answer.body());
  }

  private Process flooder(AdminClient admin, Tree run, String viewer) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Flooder.class.getName());
    command.add(folder.resolve("data").resolve("ca.crt").toString());
    command.add(String.valueOf(URI.create(admin.server()).getPort()));
    command.add(String.valueOf(URI.create(run.textOrEmpty("workloads")).getPort()));
    command.addAll(List.of(viewer, String.valueOf(SECONDS)));
    return new ProcessBuilder(command).inheritIO().start();
  }

  /// Peak and present size as the operating system sees it.
  private static List<String> memory(ClusterProcess cluster) throws IOException {
    var status = Path.of("/proc", String.valueOf(cluster.process().pid()), "status");
    return Files.exists(status)
        ? Files.readAllLines(status).stream().filter(line -> line.startsWith("Vm")).toList()
        : List.of();
  }

  private static List<String> metrics(AdminClient admin) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(admin.server() + "/metrics")).build();
    return admin
        .http()
        .send(request, BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith("berth_"))
        .toList();
  }
}
