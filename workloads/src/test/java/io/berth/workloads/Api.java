package io.berth.workloads;

import io.berth.answers.live.LiveCluster;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.testing.FakeCluster;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Request;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The API on a cluster in memory, called as a client would, without sockets.
final class Api implements AutoCloseable {

  // No two things happen in the same millisecond, so that lists sorted by time have one order.
  private static final AtomicLong LATEST = new AtomicLong();
  private static final InstantSource CLOCK =
      () ->
          Instant.ofEpochMilli(
              LATEST.updateAndGet(last -> Math.max(last + 1, System.currentTimeMillis())));

  private final AtomicLong ahead = new AtomicLong();
  private final InstantSource clock = () -> CLOCK.instant().plusMillis(ahead.get());
  final FakeCluster cluster = new FakeCluster(clock);
  final Workloads workloads;
  private final Workloads.Credentials credentials;
  private String administrator;

  Api() throws InterruptedException {
    this.workloads =
        Workloads.start(
            cluster, new LiveCluster(new ListedCluster(cluster)), clock, AuditSink.NONE);
    this.credentials = workloads.administrator(null);
    this.administrator = token(credentials.clientId(), credentials.clientSecret());
  }

  /// Lets time pass; who waits for it sees it with the next change. The administrator logs in
  /// again.
  void advance(Duration time) {
    ahead.addAndGet(time.toMillis());
    administrator = token(credentials.clientId(), credentials.clientSecret());
  }

  /// What came back.
  record Reply(int code, Answer.Whole answer) {

    Tree body() {
      return Json.read(answer.body());
    }

    @Nullable Object value() {
      return answer.body().length == 0 ? null : Json.readValue(answer.body());
    }

    String message() {
      return body().textOrEmpty("message");
    }
  }

  String token(String clientId, String secret) {
    var reply =
        send(
            "POST",
            "/api/v1/token",
            Tree.of(
                "grantType", "client_credentials", "clientId", clientId, "clientSecret", secret),
            Map.of());
    return reply.body().textOrEmpty("accessToken");
  }

  Reply get(String target) {
    return as(administrator, "GET", target, null);
  }

  Reply post(String target, @Nullable Object body) {
    return as(administrator, "POST", target, body);
  }

  Reply put(String target, @Nullable Object body) {
    return as(administrator, "PUT", target, body);
  }

  Reply patch(String target, @Nullable Object body) {
    return as(administrator, "PATCH", target, body);
  }

  Reply delete(String target) {
    return as(administrator, "DELETE", target, null);
  }

  Reply as(String token, String method, String target, @Nullable Object body) {
    return send(method, target, body, Map.of("authorization", "Bearer " + token));
  }

  Reply with(Map<String, String> headers, String method, String target, @Nullable Object body) {
    var all = new LinkedHashMap<>(headers);
    all.putIfAbsent("authorization", "Bearer " + administrator);
    return send(method, target, body, all);
  }

  Reply send(String method, String target, @Nullable Object body, Map<String, String> headers) {
    int question = target.indexOf('?');
    var bytes =
        body == null
            ? new byte[0]
            : body instanceof String text
                ? text.getBytes(StandardCharsets.UTF_8)
                : Json.write(body);
    var all = new LinkedHashMap<String, List<String>>();
    headers.forEach((name, value) -> all.put(name, List.of(value)));
    var answer =
        workloads.answer(
            new Request(
                method,
                question < 0 ? target : target.substring(0, question),
                question < 0 ? Map.of() : query(target.substring(question + 1)),
                all,
                "127.0.0.1",
                () -> bytes));
    return new Reply(answer.code(), (Answer.Whole) answer);
  }

  private static Map<String, List<String>> query(String text) {
    var query = new LinkedHashMap<String, List<String>>();
    for (var pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        query
            .computeIfAbsent(pair.substring(0, equals), _ -> new ArrayList<>())
            .add(URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return query;
  }

  String clusterId() {
    return Tree.of("list", get("/api/v1/clusters").value())
        .trees("list")
        .getFirst()
        .textOrEmpty("uuid");
  }

  /// A node with eight GPUs; waits until the API knows it.
  void node(String name, Map<String, String> labels) {
    var resources = Tree.of("cpu", "64", "memory", "512Gi", "pods", "110", "nvidia.com/gpu", "8");
    var metadata = Tree.of("name", name, "labels", Tree.ofMap(labels));
    metadata.child("labels").put("kubernetes.io/hostname", name);
    cluster.create(
        Resource.NODES,
        Tree.of(
            "metadata", metadata,
            "spec", Tree.of(),
            "status",
                Tree.of(
                    "capacity", resources,
                    "allocatable", resources.copy(),
                    "conditions", List.of(Tree.of("type", "Ready", "status", "True")))));
    await(() -> get("/api/v1/nodes?filterBy=name==" + name).body().list("nodes").size() == 1);
  }

  /// Waits for something that happens on the watch's thread.
  void await(java.util.function.BooleanSupplier condition) {
    cluster.await("what the test waits for", _ -> condition.getAsBoolean());
  }

  String pool(String name, String label, String value) {
    return created(
        "/api/v1/node-pools",
        Tree.of("name", name, "labelKey", label, "labelValue", value, "clusterId", clusterId()));
  }

  String project(String name, String... pools) {
    var resources = new ArrayList<Object>();
    for (var pool : pools) {
      resources.add(Tree.of("nodePool", Tree.of("name", pool), "gpu", Tree.of("deserved", 8)));
    }
    return created(
        "/api/v1/org-unit/projects",
        Tree.of(
            "name",
            name,
            "clusterId",
            clusterId(),
            "defaultNodePools",
            List.of((Object[]) pools),
            "resources",
            resources));
  }

  /// Submits what is written in YAML as the specification.
  Reply submit(String type, String name, String project, String spec) {
    return submit("", type, name, project, Yaml.read(spec));
  }

  /// As above, with a query.
  Reply submit(String query, String type, String name, String project, Tree spec) {
    return post(
        "/api/v1/workloads/" + type + query,
        Tree.of("name", name, "projectId", project, "clusterId", clusterId(), "spec", spec));
  }

  private String created(String path, Tree body) {
    var reply = post(path, body);
    if (reply.code() != 201) {
      throw new AssertionError(reply.answer().text());
    }
    return reply.body().textOrEmpty("id");
  }

  /// A token of a new account with a role in a scope.
  String account(String name, int role, String scopeType, String scopeId) {
    var created = post("/api/v1/service-accounts", Tree.of("name", name)).body();
    post(
        "/api/v1/authorization/access-rules",
        Tree.of(
            "subjectId", created.text("clientId"),
            "subjectType", "service-account",
            "roleId", role,
            "scopeType", scopeType,
            "scopeId", scopeId));
    return token(created.textOrEmpty("clientId"), created.textOrEmpty("clientSecret"));
  }

  @Override
  public void close() {
    workloads.close();
  }
}
