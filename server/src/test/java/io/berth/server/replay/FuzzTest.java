package io.berth.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.TestServer;
import io.berth.server.http.Answer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Recorded requests with something wrong in them: whatever comes in, the server refuses it in its
/// own words or does it, and never breaks.
///
/// `-Dfuzz.requests=N` sets how many, `-Dfuzz.seed=S` which. What once broke the server is in
/// [#FOUND], and tried first.
class FuzzTest {

  private static final int REQUESTS = Integer.getInteger("fuzz.requests", 1500);
  private static final long SEED = Long.getLong("fuzz.seed", 11);
  private static final String NAMESPACE = "fuzz";
  private static final List<Object> ODD =
      List.of(
          "",
          "a",
          "\u0000",
          "\ud83d\ude80",
          "../..",
          "x".repeat(300),
          -1L,
          0L,
          Long.MAX_VALUE,
          1e300,
          true,
          List.of(),
          new Tree(),
          List.of(List.of()),
          "1e999999999",
          "9".repeat(200));

  /// Method, path, content type and body of requests that were found by this test.
  private static final List<List<String>> FOUND = List.of();

  private final Random random = new Random(SEED);
  private final List<String> broken = new ArrayList<>();

  @Test
  void nothingThatComesInBreaksTheServer() {
    var steps = new ArrayList<Tree>();
    for (var theme : List.of("validation", "patches", "subresources", "reads", "apply", "crds")) {
      Scenario.read(theme).forEach(scenario -> steps.addAll(scenario.steps()));
    }
    try (var server = new TestServer()) {
      server.post("admin", "/api/v1/namespaces", named("Namespace", NAMESPACE));
      server.post(
          "admin",
          "/api/v1/namespaces/%s/serviceaccounts".formatted(NAMESPACE),
          named("ServiceAccount", "default"));
      for (var each : FOUND) {
        send(server, each.get(0), each.get(1), each.get(2), bytes(each.get(3)));
      }
      for (int i = 0; i < REQUESTS; i++) {
        send(server, steps.get(random.nextInt(steps.size())));
      }
    }

    assertThat(broken).as("seed %d", SEED).isEmpty();
  }

  private static String named(String kind, String name) {
    return "{'kind':'%s','apiVersion':'v1','metadata':{'name':'%s'}}".formatted(kind, name);
  }

  private void send(TestServer server, Tree step) {
    var path = step.textOrEmpty("path").replace("{ns}", NAMESPACE);
    var type = step.text("headers", "Content-Type");
    var body = step.get("body");
    send(
        server,
        step.textOrEmpty("method"),
        random.nextInt(4) == 0 ? damagedPath(path) : path,
        type == null ? "application/json" : type,
        damaged(body));
  }

  private void send(TestServer server, String method, String path, String type, byte[] body) {
    var headers = new HashMap<String, List<String>>();
    headers.put("authorization", List.of("Bearer admin"));
    headers.put("content-type", List.of(type));
    var answer = server.ask(headers, method, path, body);
    if (answer.code() == 500 && answer instanceof Answer.Whole whole) {
      var text = new String(whole.body(), StandardCharsets.UTF_8);
      if (text.contains("\"InternalError\"")) {
        broken.add(
            "%s %s %s %s: %s"
                .formatted(method, path, type, new String(body, StandardCharsets.UTF_8), text));
      }
    }
  }

  private byte[] damaged(@Nullable Object body) {
    if (body == null) {
      return new byte[0];
    }
    if (random.nextInt(3) > 0 && (body instanceof Tree || body instanceof List<?>)) {
      return Json.write(changed(body, 0));
    }
    var bytes = body instanceof String text ? bytes(text) : Json.write(body);
    for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  /// The value with one place in it changed.
  private @Nullable Object changed(@Nullable Object value, int depth) {
    if (random.nextInt(6) == 0 && depth > 0) {
      return random.nextInt(10) == 0 ? null : ODD.get(random.nextInt(ODD.size()));
    }
    if (value instanceof Tree tree && !tree.isEmpty()) {
      var copy = tree.copy();
      var names = List.copyOf(copy.names());
      var name = names.get(random.nextInt(names.size()));
      copy.put(name, changed(copy.get(name), depth + 1));
      return copy;
    }
    if (value instanceof List<?> list && !list.isEmpty()) {
      var copy = new ArrayList<@Nullable Object>(list);
      int at = random.nextInt(copy.size());
      copy.set(at, changed(copy.get(at), depth + 1));
      if (random.nextInt(5) == 0) {
        copy.add(copy.get(at));
      }
      return copy;
    }
    return depth == 0 ? value : ODD.get(random.nextInt(ODD.size()));
  }

  private String damagedPath(String path) {
    var odd = List.of("%", "&x", "=", ",", "!", "(", "in", "%00", "..", "/", "-1", "\u00e9", "?");
    int at = random.nextInt(path.length()) + 1;
    var word = odd.get(random.nextInt(odd.size()));
    if (random.nextInt(2) == 0) {
      return path + (path.contains("?") ? "&" : "?") + "labelSelector=a" + word + "b&limit=" + word;
    }
    return path.substring(0, at) + word + path.substring(Math.min(path.length(), at + 1));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
