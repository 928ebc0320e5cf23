package io.berth.server.replay;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.TestServer;
import io.berth.server.http.Answer;
import io.berth.server.replay.Mutator.Input;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Where the fuzzer starts: recorded requests, and texts of every small language the API reads.
///
/// `fuzz/*.txt` hold one text per line. `fuzz/found.jsonl` holds requests that once broke the
/// server; they are tried first, as they are.
final class Seeds {

  static final String NAMESPACE = "fuzz";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final int PROTOBUF_SEEDS = 60;
  private static final String MAPS = "/api/v1/namespaces/fuzz/configmaps";

  private final List<Input> recorded = new ArrayList<>();
  private final List<Input> found = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();

  Seeds() {
    for (var theme :
        List.of("validation", "patches", "subresources", "reads", "apply", "crds", "admission")) {
      for (var scenario : Scenario.read(theme)) {
        scenario.steps().forEach(this::add);
      }
    }
    for (var selector : lines("label-selectors.txt")) {
      recorded.add(read(MAPS + "?labelSelector=" + encoded(selector)));
    }
    for (var selector : lines("field-selectors.txt")) {
      recorded.add(read("/api/v1/pods?fieldSelector=" + encoded(selector)));
    }
    lines("quantities.txt").forEach(quantity -> recorded.add(pod(quantity)));
    lines("expressions.txt").forEach(expression -> recorded.add(definition(expression)));
    for (var document : lines("documents.txt")) {
      var body = document.replace('%', '\n');
      recorded.add(new Input("POST", MAPS, "application/yaml", utf8(body)));
    }
    for (var line : lines("found.jsonl")) {
      var tree = Json.read(line);
      found.add(
          new Input(
              tree.textOrEmpty("method"),
              tree.textOrEmpty("path"),
              tree.textOrEmpty("type"),
              Base64.getDecoder().decode(tree.textOrEmpty("body"))));
    }
  }

  /// Watches and followed logs would have to be read to their end.
  private void add(Tree step) {
    var path = step.textOrEmpty("path").replace("{ns}", NAMESPACE);
    if (path.contains("watch") || path.contains("follow") || step.has("during")) {
      return;
    }
    var type = step.text("headers", "Content-Type");
    recorded.add(
        new Input(
            step.textOrEmpty("method"),
            path,
            type == null ? "application/json" : type,
            body(step.get("body"))));
  }

  private static byte[] body(@Nullable Object body) {
    return body == null ? new byte[0] : body instanceof String text ? utf8(text) : Json.write(body);
  }

  private static Input read(String path) {
    return new Input("GET", path, "application/json", new byte[0]);
  }

  private static Input pod(String quantity) {
    var requests = Tree.of("cpu", quantity, "example.com/x", quantity);
    var container =
        Tree.of("name", "c", "image", "i").put("resources", Tree.of("requests", requests));
    var pod =
        Tree.of("apiVersion", "v1", "kind", "Pod")
            .put("metadata", Tree.of("name", "q"))
            .put("spec", Tree.of("containers", List.of(container)));
    return new Input(
        "POST", "/api/v1/namespaces/fuzz/pods?dryRun=All", "application/json", Json.write(pod));
  }

  private static Input definition(String expression) {
    var rules =
        List.of(
            Tree.of(
                "rule", expression, "messageExpression", "'no: ' + string(" + expression + ")"));
    var item =
        Tree.of("type", "object").put("properties", Tree.of("name", Tree.of("type", "string")));
    var spec =
        Tree.of("type", "object", "x-kubernetes-validations", rules)
            .put(
                "properties",
                Tree.of(
                    "replicas", Tree.of("type", "integer"),
                    "maxReplicas", Tree.of("type", "integer"),
                    "note", Tree.of("type", "string"),
                    "items", Tree.of("type", "array", "maxItems", 9L, "items", item)));
    var version =
        Tree.of("name", "v1", "served", true, "storage", true)
            .put(
                "schema",
                Tree.of(
                    "openAPIV3Schema",
                    Tree.of("type", "object", "properties", Tree.of("spec", spec))));
    var names = Tree.of("plural", "fuzzes", "singular", "fuzz", "kind", "Fuzz");
    var definition =
        Tree.of("apiVersion", "apiextensions.k8s.io/v1", "kind", "CustomResourceDefinition")
            .put("metadata", Tree.of("name", "fuzzes.example.com"))
            .put(
                "spec",
                Tree.of("group", "example.com", "scope", "Namespaced", "names", names)
                    .put("versions", List.of(version)));
    return new Input(
        "POST",
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All",
        "application/json",
        Json.write(definition));
  }

  List<Input> found() {
    return found;
  }

  /// All seeds, those in protobuf as `server` writes them.
  List<Input> all(TestServer server) {
    var all = new ArrayList<>(recorded);
    int pods = 0;
    for (var seed : recorded) {
      if (seed.method().equals("POST")
          && seed.path().endsWith("/pods")
          && seed.type().equals("application/json")
          && pods < PROTOBUF_SEEDS) {
        var encoded = protobuf(server, seed);
        if (encoded != null) {
          all.add(encoded);
          pods++;
        }
      }
    }
    return all;
  }

  private static @Nullable Input protobuf(TestServer server, Input seed) {
    var headers = new HashMap<String, List<String>>();
    headers.put("authorization", List.of("Bearer admin"));
    headers.put("content-type", List.of(seed.type()));
    headers.put("accept", List.of(PROTOBUF));
    var answer = server.ask(headers, "POST", seed.path() + "?dryRun=All", seed.body());
    return answer.code() == 201 && answer instanceof Answer.Whole whole
        ? new Input("POST", seed.path(), PROTOBUF, whole.body())
        : null;
  }

  String contentType(Random random) {
    return recorded.get(random.nextInt(recorded.size())).type();
  }

  String text(Random random) {
    return texts.get(random.nextInt(texts.size()));
  }

  String word(Random random, List<String> words) {
    return random.nextInt(4) == 0 ? text(random) : words.get(random.nextInt(words.size()));
  }

  private List<String> lines(String file) {
    try (var in = Seeds.class.getResourceAsStream("fuzz/" + file)) {
      var lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      if (file.endsWith(".txt")) {
        texts.addAll(lines);
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
