package io.berth.server.replay;

import io.berth.admission.AdmissionChain;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.http.Endpoint;
import io.berth.server.identity.Authority;
import io.berth.server.request.Query;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Runs one scenario against a server of its own, without HTTP.
final class Replayer {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final X509Certificate ADMIN =
      AUTHORITY.client("admin", List.of("system:masters")).certificate();
  private static final String NAMESPACE = "vabcdefg";

  private final Scenario scenario;
  private final Map<String, String> captured = new HashMap<>();
  private final Comparison comparison = new Comparison();
  private final List<String> differences = new ArrayList<>();
  private int matching;
  private int number;

  private Replayer(Scenario scenario) {
    this.scenario = scenario;
  }

  /// Steps that matched, steps in all, and a line per difference.
  record Result(String id, int matching, int steps, List<String> differences) {}

  static Result run(Scenario scenario) {
    var settings = Settings.of(new Codec(Json::write, Json::readLenient));
    try (var store = Store.inMemory(settings);
        var server =
            new ApiServer(
                store,
                AUTHORITY,
                AdmissionChain.of(scenario.requires(), List.of()),
                ServerSettings.plain())) {
      return new Replayer(scenario).run(server.endpoint());
    }
  }

  private Result run(Endpoint endpoint) {
    if (scenario.needsNamespace()) {
      create(endpoint, "/api/v1/namespaces", "Namespace", NAMESPACE);
      create(
          endpoint,
          "/api/v1/namespaces/" + NAMESPACE + "/serviceaccounts",
          "ServiceAccount",
          "default");
    }
    for (var step : scenario.steps()) {
      perform(endpoint, step);
    }
    return new Result(scenario.id(), matching, number, differences);
  }

  private static void create(Endpoint endpoint, String path, String kind, String name) {
    var body = Tree.of("kind", kind, "apiVersion", "v1", "metadata", Tree.of("name", name));
    var call =
        new Call(
            "POST",
            path,
            Query.EMPTY,
            Map.of("accept", List.of("application/json")),
            List.of(ADMIN),
            "",
            () -> Json.write(body));
    endpoint.answer(call);
  }

  private void perform(Endpoint endpoint, Tree step) {
    try {
      if (step.has("during")) {
        watch(endpoint, step);
      } else {
        judge(step, received(endpoint.answer(call(step))));
      }
    } catch (RuntimeException | InterruptedException e) {
      number++;
      differences.add("%s step %d: not run: %s".formatted(scenario.id(), number, e));
    }
  }

  private void watch(Endpoint endpoint, Tree step) throws InterruptedException {
    var answer = endpoint.answer(call(step));
    if (!(answer instanceof Answer.Stream stream)) {
      step.trees("during").forEach(each -> perform(endpoint, each));
      judge(step, received(answer));
      return;
    }
    var outlet = new Collector();
    var reader =
        Thread.ofVirtual()
            .start(() -> {
              try {
                stream.frames().writeTo(outlet);
              } catch (IOException e) {
                outlet.frames.add(Tree.of("type", "IOException", "object", e.toString()));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    outlet.opened.await();
    Thread.sleep(100);
    step.trees("during").forEach(each -> perform(endpoint, each));
    reader.join();
    judge(step, Tree.of("code", stream.code(), "events", outlet.events()));
  }

  private Call call(Tree step) {
    var target = filled(step.textOrEmpty("path"), true);
    int question = target.indexOf('?');
    var path = question < 0 ? target : target.substring(0, question);
    var auth = filled(step.textOrEmpty("auth"), false);
    var headers = headers(step);
    if (!auth.isEmpty() && !auth.equals("anonymous")) {
      headers.put("authorization", List.of("Bearer " + auth));
    }
    var body = body(step);
    return new Call(
        step.textOrEmpty("method"),
        URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8),
        question < 0 ? Query.EMPTY : Query.parse(target.substring(question + 1)),
        headers,
        auth.isEmpty() ? List.of(ADMIN) : List.of(),
        "127.0.0.1",
        () -> {
          if (body.length > 3 << 20) {
            throw new io.berth.api.ApiException(
                413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728");
          }
          return body;
        });
  }

  private Map<String, List<String>> headers(Tree step) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    headers.put("user-agent", List.of("berth-vectors/1.0"));
    headers.put("host", List.of("127.0.0.1:6443"));
    headers.put("accept", List.of("application/json"));
    if (step.has("body")) {
      headers.put("content-type", List.of("application/json"));
    }
    var user = step.tree("user");
    if (user != null) {
      headers.put("impersonate-user", List.of(filled(user.textOrEmpty("name"), false)));
      var groups = new ArrayList<String>();
      user.list("groups").forEach(group -> groups.add(filled(String.valueOf(group), false)));
      if (!groups.isEmpty()) {
        headers.put("impersonate-group", groups);
      }
    }
    step.texts("headers")
        .forEach((name, value) -> {
          var key = name.toLowerCase(Locale.ROOT);
          if (value.isEmpty()) {
            headers.remove(key);
          } else {
            headers.put(key, List.of(filled(value, false)));
          }
        });
    return headers;
  }

  private byte[] body(Tree step) {
    var body = step.get("body");
    if (body == null) {
      return new byte[0];
    }
    var text = body instanceof String plain ? plain : Json.text(body);
    text = filled(text, false);
    long fill = step.number(0, "fill");
    return text.replace("{fill}", "a".repeat((int) fill)).getBytes(StandardCharsets.UTF_8);
  }

  private String filled(String text, boolean encoded) {
    var filled = text.replace("{ns}", NAMESPACE);
    for (var each : captured.entrySet()) {
      var value =
          encoded
              ? URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8).replace("+", "%20")
              : each.getValue();
      filled = filled.replace("{" + each.getKey() + "}", value);
    }
    return filled;
  }

  private static Tree received(Answer answer) {
    if (!(answer instanceof Answer.Whole whole)) {
      return Tree.of("code", answer.code(), "body", "a stream");
    }
    var received = Tree.of("code", whole.code());
    var type = "";
    var warnings = new ArrayList<@Nullable Object>();
    for (var header : whole.headers()) {
      switch (header.getKey()) {
        case "Content-Type" -> type = header.getValue().split(";", 2)[0];
        case "Warning" -> warnings.add(unquoted(header.getValue()));
        case "Retry-After" -> received.put("retryAfter", Long.parseLong(header.getValue()));
        default -> {}
      }
    }
    received.put("contentType", type);
    if (!warnings.isEmpty()) {
      received.put("warnings", warnings);
    }
    return received.put("body", body(type, whole.body()));
  }

  private static String unquoted(String warning) {
    var text = warning.substring("299 - \"".length(), warning.length() - 1);
    return text.replaceAll("\\\\(.)", "$1");
  }

  private static @Nullable Object body(String type, byte[] bytes) {
    var text = new String(bytes, StandardCharsets.UTF_8);
    try {
      return switch (type) {
        case "application/json" -> Json.readLenient(bytes);
        case "application/yaml" -> texts(io.berth.codec.Yaml.read(text));
        default -> text;
      };
    } catch (SyntaxException e) {
      return text;
    }
  }

  /// YAML is compared with every scalar as text.
  private static @Nullable Object texts(@Nullable Object value) {
    return switch (value) {
      case Tree tree -> {
        var copy = new Tree();
        tree.fields().forEach((name, each) -> copy.put(name, texts(each)));
        yield copy;
      }
      case List<?> list -> {
        var copy = new ArrayList<@Nullable Object>();
        list.forEach(each -> copy.add(texts(each)));
        yield copy;
      }
      case null -> null;
      default -> String.valueOf(value);
    };
  }

  private void judge(Tree step, Tree received) {
    number++;
    step.texts("capture")
        .forEach((name, pointer) -> {
          var value = at(received.get("body"), pointer);
          if (value != null) {
            captured.put(name, value);
          }
        });
    var expected = Json.read(Json.text(step.get("expect")).replace("{ns}", NAMESPACE));
    expected.putIfAbsent("contentType", expected.has("events") ? null : "application/json");
    if (expected.get("contentType") == null) {
      expected.remove("contentType");
    }
    var found = compare(step, expected, received);
    if (found.isEmpty()) {
      matching++;
    }
    for (var each : found) {
      differences.add("%s step %d: %s".formatted(scenario.id(), number, each));
    }
  }

  private List<String> compare(Tree step, Tree expected, Tree received) {
    if (expected.number(0, "code") != received.number(0, "code")) {
      var body = received.get("body");
      return List.of(
          "code: got %d, expected %d: %s"
              .formatted(
                  received.number(0, "code"),
                  expected.number(0, "code"),
                  body instanceof Tree tree && tree.has("message")
                      ? tree.textOrEmpty("message")
                      : String.valueOf(body)));
    }
    var actual = Normal.form(received, step.flag("managedFields"));
    var wanted = Normal.form(expected, true);
    return comparison.differences("", wanted, actual);
  }

  private static @Nullable String at(@Nullable Object body, String pointer) {
    var value = body;
    for (var part : pointer.substring(1).split("/", -1)) {
      var name = part.replace("~1", "/").replace("~0", "~");
      value =
          switch (value) {
            case Tree tree -> tree.get(name);
            case List<?> list -> list.get(Integer.parseInt(name));
            case null, default -> null;
          };
    }
    return value == null ? null : String.valueOf(value);
  }

  /// Keeps the events of a watch.
  private static final class Collector implements Answer.Outlet {

    private final List<Tree> frames = new ArrayList<>();
    private final CountDownLatch opened = new CountDownLatch(1);

    @Override
    public synchronized void send(byte[] frame) {
      frames.add(Json.read(frame));
    }

    @Override
    public void onClose(Runnable action) {
      opened.countDown();
    }

    synchronized List<@Nullable Object> events() {
      var events = new ArrayList<@Nullable Object>();
      for (var frame : frames) {
        boolean bookmark = frame.textOrEmpty("type").equals("BOOKMARK");
        if (!bookmark || Json.text(frame).contains("k8s.io/initial-events-end")) {
          events.add(frame);
        }
      }
      return events;
    }
  }
}
