package io.berth.app;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// A client of the workload API over TLS, as an administrator.
final class WorkloadApi {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final HttpClient client;
  private final String url;
  private final String token;
  private final String cluster;

  /// `folder` is where the cluster keeps its credentials.
  WorkloadApi(String url, Path folder) throws Exception {
    this.url = url;
    var authority = folder.resolve("ca.crt");
    var file = folder.resolve("credentials.json");
    for (int i = 0; !Files.exists(file) && i < 6000; i++) {
      Thread.sleep(20);
    }
    this.client = HttpClient.newBuilder().sslContext(trusting(authority)).build();
    var secret = Json.read(Files.readAllBytes(file));
    this.token =
        send(
                "POST",
                "/api/v1/token",
                Tree.of(
                    "grantType", "client_credentials",
                    "clientId", secret.text("clientId"),
                    "clientSecret", secret.text("clientSecret")),
                Map.of())
            .textOrEmpty("accessToken");
    this.cluster = list("/api/v1/clusters").getFirst().textOrEmpty("uuid");
  }

  static SSLContext trusting(Path authority) throws Exception {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (var in = Files.newInputStream(authority)) {
      store.setCertificateEntry(
          "berth", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  Tree get(String path) {
    return call("GET", path, null);
  }

  /// An answer that is a bare list.
  List<Tree> list(String path) {
    var answer = exchange("GET", path, null, authorized());
    return Tree.of("list", Json.readValue(answer)).trees("list");
  }

  Tree call(String method, String path, @Nullable Object body) {
    return send(method, path, body, authorized());
  }

  private Map<String, String> authorized() {
    return Map.of("authorization", "Bearer " + token);
  }

  private Tree send(
      String method, String path, @Nullable Object body, Map<String, String> headers) {
    var answer = exchange(method, path, body, headers);
    return answer.length == 0 ? new Tree() : Json.read(answer);
  }

  private byte[] exchange(
      String method, String path, @Nullable Object body, Map<String, String> headers) {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("content-type", "application/json")
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(Json.write(body)));
    headers.forEach(request::header);
    try {
      var answer = client.send(request.build(), BodyHandlers.ofByteArray());
      if (answer.statusCode() / 100 != 2) {
        throw new AssertionError(
            "%s %s: %d %s"
                .formatted(
                    method,
                    path,
                    answer.statusCode(),
                    new String(answer.body(), StandardCharsets.UTF_8)));
      }
      return answer.body();
    } catch (IOException e) {
      throw new AssertionError(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  void pool(String name, String value) {
    call(
        "POST",
        "/api/v1/node-pools",
        Tree.of("name", name, "labelKey", "pool", "labelValue", value, "clusterId", cluster));
  }

  /// A project with so many GPUs of its own in each of these pools.
  String project(String name, int gpus, String... pools) {
    var resources = new ArrayList<Object>();
    for (var pool : pools) {
      resources.add(Tree.of("nodePool", Tree.of("name", pool), "gpu", Tree.of("deserved", gpus)));
    }
    return call(
            "POST",
            "/api/v1/org-unit/projects",
            Tree.of(
                "name", name,
                "clusterId", cluster,
                "defaultNodePools", List.of((Object[]) pools),
                "resources", resources))
        .textOrEmpty("id");
  }

  String submit(String type, String name, String project, Tree spec) {
    return call(
            "POST",
            "/api/v1/workloads/" + type,
            Tree.of(
                "name", name,
                "projectId", project,
                "clusterId", cluster,
                "spec", spec.copy().put("image", "x")))
        .textOrEmpty("workloadId");
  }

  String phase(String workload) {
    return get("/api/v1/workloads/" + workload).textOrEmpty("phase");
  }

  List<Tree> pods(String workload) {
    return get("/api/v1/workloads/%s/pods".formatted(workload)).trees("pods");
  }

  List<Tree> events(String workload, String reason) {
    return get("/api/v1/workloads/%s/events?limit=500".formatted(workload)).trees("events").stream()
        .filter(event -> event.textOrEmpty("reason").equals(reason))
        .toList();
  }

  void deleteAll() {
    var ids =
        get("/api/v1/workloads?limit=500").trees("workloads").stream()
            .map(each -> each.get("id"))
            .toList();
    if (!ids.isEmpty()) {
      call("POST", "/api/v1/workloads/batch", Tree.of("ids", ids, "action", "delete"));
    }
    await("no workloads", () -> get("/api/v1/workloads/count").number(1, "count") == 0);
  }

  /// Asks again and again; a broken build ends instead of waiting for ever.
  void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "did not happen: %s\n%s"
                .formatted(what, Json.text(get("/api/v1/workloads?limit=500"))));
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
    }
  }
}
