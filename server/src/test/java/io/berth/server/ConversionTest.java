package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.berth.admission.AdmissionChain;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.identity.Authority;
import io.berth.server.request.Query;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Versions of a custom kind that a webhook converts: v1 has `spec.hostPort`, v2 `host` and `port`.
class ConversionTest {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final X509Certificate ADMIN =
      AUTHORITY.client("admin", List.of("system:masters")).certificate();
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String DEFINITION = DEFINITIONS + "/tabs.example.com";
  private static final String V1 = "/apis/example.com/v1/namespaces/default/tabs";
  private static final String V2 = "/apis/example.com/v2/namespaces/default/tabs";
  private static final String MERGE = "application/merge-patch+json";

  private final List<Tree> reviews = new CopyOnWriteArrayList<>();
  private Store store;
  private ApiServer server;
  private HttpsServer webhook;

  @BeforeEach
  void start() throws Exception {
    store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
    server =
        new ApiServer(
            store, AUTHORITY, AdmissionChain.of(List.of(), List.of()), ServerSettings.plain());
    webhook = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    webhook.setHttpsConfigurator(new HttpsConfigurator(TestTls.server(AUTHORITY, "127.0.0.1")));
    webhook.createContext("/", this::answer);
    webhook.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    webhook.start();
    call("POST", DEFINITIONS, "", definition("/ok", "v1"));
  }

  @AfterEach
  void stop() {
    webhook.stop(0);
    server.close();
    store.close();
  }

  @Test
  void whatIsStoredInOneVersionIsReadInAnother() {
    call("POST", V1, "", tab("v1", "a", Tree.of("hostPort", "h:1")));

    var shown = call("GET", V2 + "/a", "", new Tree());

    assertThat(shown.text("apiVersion")).isEqualTo("example.com/v2");
    // v1's default came before the conversion; v2's own is for writes.
    assertThat(shown.tree("spec")).isEqualTo(Tree.of("mode", "one", "host", "h", "port", "1"));
    assertThat(shown.text("metadata", "resourceVersion")).isNotEmpty();
    var review = reviews.getFirst();
    assertThat(review.text("apiVersion")).isEqualTo("apiextensions.k8s.io/v1");
    assertThat(review.text("request", "desiredAPIVersion")).isEqualTo("example.com/v2");
    assertThat(review.trees("request", "objects").getFirst().at("metadata", "resourceVersion"))
        .isNull();
  }

  @Test
  void whatIsWrittenInOneVersionIsJudgedThereAndStoredInAnother() {
    var refused = call("POST", V2, "", tab("v2", "a", Tree.of("host", "h", "port", "99999999")));
    call("POST", V2, "", tab("v2", "a", Tree.of("host", "h", "port", "1")));
    call("PATCH", V2 + "/a", MERGE, Tree.of("spec", Tree.of("port", "2")));

    assertThat(refused.textOrEmpty("message")).contains("spec.port: Too long");
    assertThat(call("GET", V1 + "/a", "", new Tree()).text("spec", "hostPort")).isEqualTo("h:2");
    var stored = store.list(io.berth.store.Range.of("example.com", "tabs")).entries();
    assertThat(stored.getFirst().object().text("apiVersion")).isEqualTo("example.com/v1");
    assertThat(stored.getFirst().object().text("spec", "hostPort")).isEqualTo("h:2");
  }

  @Test
  void aListIsConvertedInOneRequestAndSelectedAsItIsShown() {
    for (var name : List.of("a", "b", "c")) {
      call("POST", V1, "", tab("v1", name, Tree.of("hostPort", name + ":1")));
    }
    reviews.clear();

    var all = call("GET", V2, "", new Tree());

    assertThat(all.trees("items")).hasSize(3);
    assertThat(reviews).hasSize(1);
    assertThat(get(V2, "fieldSelector=spec.host=b").trees("items"))
        .extracting(item -> item.text("metadata", "name"))
        .containsExactly("b");
  }

  @Test
  void aWatchShowsConvertedObjects() throws Exception {
    call("POST", V1, "", tab("v1", "a", Tree.of("hostPort", "h:1")));
    var watch = (Answer.Stream) answer("GET", V2, "watch=true&timeoutSeconds=1", "", new Tree());

    var events = new ArrayList<Tree>();
    watch.frames().writeTo(outlet(events));

    assertThat(events).hasSize(1);
    assertThat(events.getFirst().text("object", "spec", "host")).isEqualTo("h");
  }

  @Test
  void anObjectKeepsItsVersionUntilItIsWritten() {
    call("POST", V1, "", tab("v1", "a", Tree.of("hostPort", "h:1")));
    redefine("/ok", "v2");

    assertThat(call("GET", V2 + "/a", "", new Tree()).text("spec", "host")).isEqualTo("h");
    call("PATCH", V2 + "/a", MERGE, Tree.of("spec", Tree.of("port", "2")));
    reviews.clear();

    assertThat(call("GET", V2 + "/a", "", new Tree()).text("spec", "port")).isEqualTo("2");
    assertThat(reviews).isEmpty();
    assertThat(call("GET", DEFINITION, "", new Tree()).list("status", "storedVersions"))
        .isEqualTo(List.of("v1", "v2"));
  }

  @Test
  void fieldsAreOwnedInTheVersionOfTheirManager() {
    apply(V1, "first", tab("v1", "a", Tree.of("hostPort", "h:1")), "");

    var refused = apply(V2, "second", tab("v2", "a", Tree.of("host", "i")), "");
    var forced = apply(V2, "second", tab("v2", "a", Tree.of("host", "i")), "&force=true");

    assertThat(refused.textOrEmpty("message"))
        .isEqualTo("Apply failed with 1 conflict: conflict with \"first\": .spec.hostPort");
    assertThat(forced.tree("spec")).isEqualTo(Tree.of("mode", "one", "host", "i", "port", "1"));
    assertThat(forced.trees("metadata", "managedFields"))
        .extracting(entry -> entry.text("manager"))
        .containsExactly("second");
  }

  private Tree apply(String path, String manager, Tree configuration, String more) {
    return tree(
        answer(
            "PATCH",
            path + "/" + configuration.textOrEmpty("metadata", "name"),
            "fieldManager=" + manager + more,
            "application/apply-patch+yaml",
            configuration));
  }

  @Test
  void ofTheMetadataLabelsAndAnnotationsMayChange() {
    call("POST", V1, "", tab("v1", "a", Tree.of("hostPort", "h:1")));
    redefine("/meta", "v1");

    var meta = call("GET", V2 + "/a", "", new Tree()).treeOrEmpty("metadata");

    assertThat(meta.text("labels", "from")).isEqualTo("webhook");
    assertThat(meta.number(0, "generation")).isEqualTo(1);
    assertThat(meta.get("finalizers")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/error  | failed: an error on the server (\"broken\") has prevented the request from"
            + " succeeding",
        "/silent | failed: no response provided",
        "/uid    | failed: expected response.uid=",
        "/fail   | failed: cannot do that",
        "/none   | returned 0 objects, expected 1",
        "/name   | returned invalid object: must have the same name: a != other",
        "/stay   | returned invalid object at index 0: invalid groupVersion (expected"
            + " example.com/v2, received example.com/v1)",
        "/label  | returned invalid metadata: metadata.labels[a] must be a string, but is int64 in"
            + " converted object",
      })
  void answersThatMakeNoSenseAreRefused(String path, String problem) {
    call("POST", V1, "", tab("v1", "a", Tree.of("hostPort", "h:1")));
    redefine(path, "v1");

    var read = call("GET", V2 + "/a", "", new Tree());
    var list = call("GET", V2, "", new Tree());
    var deletion = call("DELETE", V2 + "/a", "", new Tree());

    var shown = "conversion webhook for example.com/v1, Kind=Tab " + problem;
    assertThat(read.number(0, "code")).isEqualTo(500);
    assertThat(read.textOrEmpty("message"))
        .startsWith(
            "Internal error occurred: StorageError: corrupt object, Code: 7, Key:"
                + " /example.com/tabs/default/a, ResourceVersion: 0, AdditionalErrorMsg: object not"
                + " decodable revision=")
        .contains(shown);
    assertThat(list.number(0, "code")).isEqualTo(429);
    assertThat(list.textOrEmpty("message")).contains(shown);
    assertThat(deletion.number(0, "code")).isEqualTo(500);
    assertThat(call("GET", V1 + "/a", "", new Tree()).text("spec", "hostPort")).isEqualTo("h:1");
  }

  private void redefine(String path, String storage) {
    var definition = definition(path, storage);
    var answer = call("PATCH", DEFINITION, MERGE, Tree.of("spec", definition.treeOrEmpty("spec")));
    assertThat(answer.text("kind")).isEqualTo("CustomResourceDefinition");
  }

  private Tree definition(String path, String storage) {
    var ca = Base64.getEncoder().encodeToString(bytes(AUTHORITY.certificatePem()));
    return Yaml.read(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: tabs.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {plural: tabs, kind: Tab}
          conversion:
            strategy: Webhook
            webhook:
              conversionReviewVersions: [v1]
              clientConfig: {url: 'https://127.0.0.1:%d%s', caBundle: %s}
          versions:
          - name: v1
            served: true
            storage: %s
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties: {hostPort: {type: string}, mode: {type: string, default: one}}
          - name: v2
            served: true
            storage: %s
            selectableFields: [{jsonPath: .spec.host}]
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties:
                      host: {type: string}
                      port: {type: string, maxLength: 5}
                      mode: {type: string}
                      other: {type: string, default: two}
        """
            .formatted(
                webhook.getAddress().getPort(),
                path,
                ca,
                storage.equals("v1"),
                storage.equals("v2")));
  }

  private static Tree tab(String version, String name, Tree spec) {
    return Tree.of(
        "apiVersion",
        "example.com/" + version,
        "kind",
        "Tab",
        "metadata",
        Tree.of("name", name),
        "spec",
        spec);
  }

  private Tree get(String path, String query) {
    return tree(answer("GET", path, query, "", new Tree()));
  }

  private Tree call(String method, String path, String type, Tree body) {
    return tree(answer(method, path, "", type, body));
  }

  private static Tree tree(Answer answer) {
    return Json.read(((Answer.Whole) answer).body());
  }

  private Answer answer(String method, String path, String query, String type, Tree body) {
    return server
        .endpoint()
        .answer(
            new Call(
                method,
                path,
                Query.parse(query),
                Map.of("content-type", List.of(type.isEmpty() ? "application/json" : type)),
                List.of(ADMIN),
                "",
                () -> body.isEmpty() ? new byte[0] : Json.write(body)));
  }

  private static Answer.Outlet outlet(List<Tree> events) {
    return new Answer.Outlet() {
      @Override
      public void send(byte[] frame) {
        events.add(Json.read(frame));
      }

      @Override
      public void onClose(Runnable action) {}
    };
  }

  private void answer(HttpExchange exchange) throws IOException {
    var review = Json.read(exchange.getRequestBody().readAllBytes());
    reviews.add(review);
    var path = exchange.getRequestURI().getPath();
    var desired = review.textOrEmpty("request", "desiredAPIVersion");
    var objects = new ArrayList<Object>();
    for (var object : review.trees("request", "objects")) {
      objects.add(converted(object.copy(), desired, path));
    }
    var response =
        Tree.of(
            "uid",
            path.equals("/uid") ? "other" : review.textOrEmpty("request", "uid"),
            "result",
            path.equals("/fail")
                ? Tree.of("status", "Failure", "message", "cannot do that")
                : Tree.of("status", "Success"),
            "convertedObjects",
            path.equals("/none") ? List.of() : objects);
    var answer = Tree.of("kind", "ConversionReview", "apiVersion", "apiextensions.k8s.io/v1");
    if (!path.equals("/silent")) {
      answer.put("response", response);
    }
    var bytes = path.equals("/error") ? bytes("broken") : Json.write(answer);
    exchange.sendResponseHeaders(path.equals("/error") ? 500 : 200, bytes.length);
    try (var body = exchange.getResponseBody()) {
      body.write(bytes);
    }
  }

  private static Tree converted(Tree object, String desired, String path) {
    var spec = object.child("spec");
    if (desired.endsWith("v2") && spec.has("hostPort")) {
      var parts = spec.textOrEmpty("hostPort").split(":", -1);
      spec.put("host", parts[0]).put("port", parts[1]).remove("hostPort");
    } else if (desired.endsWith("v1")) {
      spec.put("hostPort", spec.textOrEmpty("host") + ":" + spec.textOrEmpty("port"));
      List.of("host", "port", "other").forEach(spec::remove);
    }
    var meta = object.child("metadata");
    switch (path) {
      case "/name" -> meta.put("name", "other");
      case "/label" -> meta.put("labels", Tree.of("a", 1));
      case "/meta" -> {
        meta.put("labels", Tree.of("from", "webhook")).put("generation", 7);
        meta.put("finalizers", List.of("example.com/held"));
      }
      default -> {}
    }
    return path.equals("/stay") ? object : object.put("apiVersion", desired);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
