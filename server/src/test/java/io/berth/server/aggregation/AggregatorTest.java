package io.berth.server.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.server.TestServer;
import io.berth.server.http.Answer;
import io.berth.server.identity.Authority;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Another API server behind this one: who is let through, what it is told, and what comes back.
class AggregatorTest {

  private static final String API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
  private static final String NAME = "v1.wardle.example.com";
  private static final String FLUNDERS =
      TestExtension.GROUP_VERSION + "/namespaces/default/flunders";
  private static final Authority SIGNER = Authority.open(null);
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private TestServer server;
  private TestExtension extension;

  @BeforeEach
  void start() throws Exception {
    server = new TestServer();
    extension = new TestExtension(SIGNER, "api.wardle.svc", frontProxyAuthority());
    post("/api/v1/namespaces", "{'metadata':{'name':'wardle'}}");
    externalName("localhost");
  }

  @AfterEach
  void stop() {
    extension.close();
    server.close();
  }

  @Test
  void whatOthersMustKnowIsInTheCluster() {
    var data = authentication().texts("data");

    assertThat(data.keySet())
        .containsExactlyInAnyOrder(
            "client-ca-file",
            "requestheader-allowed-names",
            "requestheader-client-ca-file",
            "requestheader-extra-headers-prefix",
            "requestheader-group-headers",
            "requestheader-uid-headers",
            "requestheader-username-headers");
    assertThat(data.get("requestheader-client-ca-file")).isNotEqualTo(data.get("client-ca-file"));
  }

  @Test
  void aRequestIsPassedOnInTheNameOfWhoSentIt() {
    register("");
    awaitAvailable();
    allow("alice");

    var answer =
        ask(
            "alice",
            "POST",
            FLUNDERS + "?fieldManager=a%26b&dryRun=All",
            Map.of(
                "x-remote-user", List.of("root"),
                "x-remote-group", List.of("system:masters"),
                "x-http-method-override", List.of("DELETE"),
                "cookie", List.of("secret=1"),
                "content-type", List.of("application/json")),
            "{'kind':'Flunder'}");

    assertThat(answer.code()).isEqualTo(200);
    var asked = extension.asked().getFirst();
    assertThat(asked.method()).isEqualTo("POST");
    assertThat(asked.uri()).isEqualTo(FLUNDERS + "?dryRun=All&fieldManager=a%26b");
    assertThat(asked.body()).isEqualTo("{\"kind\":\"Flunder\"}");
    assertThat(asked.header("X-remote-user")).containsExactly("alice");
    assertThat(asked.header("X-remote-group"))
        .containsExactly("dev", "ops", "system:authenticated");
    assertThat(asked.header("X-remote-uid")).containsExactly("2");
    assertThat(asked.header("Authorization")).isEmpty();
    assertThat(asked.header("Cookie")).isEmpty();
    assertThat(asked.header("X-http-method-override")).isEmpty();
    assertThat(extension.clients()).containsOnly("CN=front-proxy-client");
  }

  @Test
  void whoActsAsAnotherIsPassedOnAsTheOther() {
    register("");
    awaitAvailable();
    allow("bob");

    ask(
        "admin",
        "GET",
        FLUNDERS,
        Map.of("impersonate-user", List.of("bob"), "impersonate-group", List.of("crew")),
        "");

    var asked = extension.asked().getFirst();
    assertThat(asked.header("X-remote-user")).containsExactly("bob");
    assertThat(asked.header("X-remote-group")).containsExactly("crew", "system:authenticated");
    assertThat(asked.headers().keySet()).noneMatch(name -> name.startsWith("Impersonate"));
  }

  @Test
  void whoMayNotIsNotPassedOn() {
    register("");
    awaitAvailable();

    assertThat(server.get("alice", FLUNDERS).code()).isEqualTo(403);
    assertThat(extension.asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
  void whoMayWatchWritesNothingThroughAWatchPath(String method) {
    register("");
    awaitAvailable();
    var path = TestExtension.GROUP_VERSION + "/watch/namespaces/default/flunders/a";

    assertThat(ask("admin", method, path, Map.of(), "{}").code()).isEqualTo(405);
    assertThat(extension.asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/flunders/../secrets", "/flunders/./a", "/flunders//a", "/flunders\\a"})
  void pathsThatAnotherServerCouldReadOtherwiseAreNotPassedOn(String path) {
    register("");
    awaitAvailable();

    var answer = server.get("admin", TestExtension.GROUP_VERSION + "/namespaces/default" + path);

    assertThat(answer.code()).isEqualTo(404);
    assertThat(extension.asked()).isEmpty();
  }

  @Test
  void theNameThatWasAuthorizedIsTheNameThatIsAskedFor() {
    register("");
    awaitAvailable();

    server.get("admin", FLUNDERS + "/a?b#c%2e ü");

    assertThat(extension.asked().getFirst().uri()).startsWith(FLUNDERS + "/a?");
    server.get("admin", FLUNDERS + "/x#y% ü");
    assertThat(extension.asked().getLast().uri()).isEqualTo(FLUNDERS + "/x%23y%25%20%C3%BC");
  }

  @Test
  void aWatchComesLineByLine() throws Exception {
    register("");
    awaitAvailable();

    var answer = server.get("admin", FLUNDERS + "?watch=1");

    assertThat(TestServer.frames(answer)).containsExactly("{\"n\":1}", "{\"n\":2}");
  }

  @Test
  void anAnswerComesBackWithoutWhatIsNotTheirsToSay() {
    register("");
    awaitAvailable();

    var answer = server.get("admin", FLUNDERS + "/cookie");

    assertThat(answer.code()).isEqualTo(201);
    assertThat(TestServer.text(answer)).isEqualTo("{\"kind\":\"Flunder\"}");
    assertThat(header(answer, "Warning")).containsExactly("299 - \"careful\"");
    assertThat(header(answer, "Set-Cookie")).isEmpty();
    assertThat(header(answer, "Audit-Id")).hasSize(1);
    assertThat(server.get("admin", FLUNDERS + "/elsewhere").code()).isEqualTo(502);
    assertThat(server.get("admin", FLUNDERS + "/compressed").code()).isEqualTo(502);
  }

  @Test
  void whatItServesIsDiscovered() {
    register("");
    awaitAvailable();
    var aggregated =
        Map.of(
            "accept",
            List.of("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"));
    await(() -> TestServer.text(ask("admin", "GET", "/apis", aggregated, "")).contains("flunders"));

    var group =
        TestServer.json(ask("admin", "GET", "/apis", aggregated, "")).trees("items").stream()
            .filter(each -> each.textOrEmpty("metadata", "name").equals("wardle.example.com"))
            .findFirst()
            .orElseThrow();
    var version = group.trees("versions").getFirst();
    assertThat(version.text("freshness")).isEqualTo("Current");
    var flunders = version.trees("resources").getFirst();
    assertThat(flunders.text("responseKind", "group")).isEqualTo("wardle.example.com");
    assertThat(flunders.trees("subresources"))
        .extracting(each -> each.text("subresource"))
        .containsExactly("status");
    assertThat(TestServer.text(server.get("admin", "/apis"))).contains("wardle.example.com/v1");
    assertThat(TestServer.text(server.get("admin", "/apis/wardle.example.com")))
        .contains("\"preferredVersion\"");
    assertThat(TestServer.text(server.get("admin", TestExtension.GROUP_VERSION)))
        .contains("APIResourceList");
  }

  @Test
  void itsSchemasArePublished() {
    register("");
    awaitAvailable();
    await(() -> TestServer.text(server.get("admin", "/openapi/v3")).contains("wardle"));

    assertThat(TestServer.json(server.get("admin", "/openapi/v3")))
        .extracting(index -> index.text("paths", "apis/wardle.example.com/v1", "serverRelativeURL"))
        .isEqualTo("/openapi/v3/apis/wardle.example.com/v1?hash=A");
    server.get("admin", "/openapi/v3/apis/wardle.example.com/v1?hash=A");
    assertThat(extension.asked().getLast().uri())
        .isEqualTo("/openapi/v3/apis/wardle.example.com/v1?hash=A");
    var swagger = TestServer.json(server.get("admin", "/openapi/v2"));
    assertThat(swagger.treeOrEmpty("paths").names())
        .contains("/apis/wardle.example.com/v1/flunders", "/api/v1/pods")
        .doesNotContain("/apis/other");
    assertThat(swagger.treeOrEmpty("definitions").names()).contains("com.example.Flunder");
  }

  @Test
  void aServerThatIsGoneIsUnavailable() {
    register("");
    awaitAvailable();
    extension.close();
    externalName("127.0.0.1");

    var condition = await("FailedDiscoveryCheck");

    assertThat(condition.text("status")).isEqualTo("False");
    var url = "https://127.0.0.1:%d%s".formatted(extension.port(), TestExtension.GROUP_VERSION);
    assertThat(condition.text("message"))
        .isEqualTo(
            "failing or missing response from %s: Get \"%s\": dial tcp 127.0.0.1:%d: connect: connection refused"
                .formatted(url, url, extension.port()));
    var answer = server.get("admin", FLUNDERS);
    assertThat(answer.code()).isEqualTo(503);
    assertThat(TestServer.text(answer)).isEqualTo("service unavailable\n");
    assertThat(TestServer.text(server.get("admin", "/apis"))).contains("wardle.example.com/v1");
  }

  @Test
  void aCertificateOfSomebodyElseIsNotBelieved() throws Exception {
    extension.close();
    extension = new TestExtension(Authority.open(null), "api.wardle.svc", frontProxyAuthority());
    register("");
    assertThat(await("FailedDiscoveryCheck").textOrEmpty("message"))
        .endsWith(
            "tls: failed to verify certificate: x509: certificate signed by unknown authority");

    extension.close();
    extension = new TestExtension(SIGNER, "other.wardle.svc", frontProxyAuthority());
    server.ask("admin", "DELETE", API_SERVICES + "/" + NAME, "");
    register("");
    assertThat(await("FailedDiscoveryCheck").textOrEmpty("message"))
        .contains("certificate is not valid for api.wardle.svc");
  }

  @Test
  void whoWantsNoCheckGetsNone() throws Exception {
    extension.close();
    extension = new TestExtension(Authority.open(null), "nobody", frontProxyAuthority());
    registerWith("'insecureSkipTLSVerify':true");
    awaitAvailable();

    assertThat(server.get("admin", FLUNDERS).code()).isEqualTo(200);
  }

  @Test
  void whatIsMissingIsToldInKubernetesWords() {
    server.ask("admin", "DELETE", "/api/v1/namespaces/wardle/services/api", "");
    register("");
    assertThat(await("ServiceNotFound").text("message"))
        .isEqualTo("service/api in \"wardle\" is not present");

    service("{'ports':[{'port':8443}]}");
    assertThat(await("ServicePortError").text("message"))
        .isEqualTo("service/api in \"wardle\" is not listening on port " + extension.port());

    server.ask("admin", "DELETE", "/api/v1/namespaces/wardle/services/api", "");
    service("{'ports':[{'port':%d,'name':'https'}]}".formatted(extension.port()));
    assertThat(await("EndpointsNotFound").text("message"))
        .isEqualTo("cannot find endpointslices for service/api in \"wardle\"");

    slice("false");
    assertThat(await("MissingEndpoints").text("message"))
        .isEqualTo(
            "endpointslices for service/api in \"wardle\" have no addresses with port name \"https\"");

    server.ask(
        "admin", "DELETE", "/apis/discovery.k8s.io/v1/namespaces/wardle/endpointslices/api", "");
    slice("true");
    awaitAvailable();
  }

  @Test
  void simulatedPodsAnswerNothing() {
    server.ask("admin", "DELETE", "/api/v1/namespaces/wardle/services/api", "");
    service(
        "{'clusterIP':'10.96.7.7','selector':{'a':'b'},'ports':[{'port':%d,'name':'https'}]}"
            .formatted(extension.port()));
    slice("true");
    register("");

    assertThat(await("FailedDiscoveryCheck").text("message"))
        .isEqualTo(
            "failing or missing response from https://10.96.7.7:%d%s: nothing listens behind service wardle/api, whose pods are simulated"
                .formatted(extension.port(), TestExtension.GROUP_VERSION));
  }

  @Test
  void whatIsBuiltInIsAnsweredHere() {
    var service = TestServer.json(server.get("admin", API_SERVICES + "/v1.apps"));
    service.child("spec").put("service", Tree.of("namespace", "wardle", "name", "api"));
    service.child("spec").put("insecureSkipTLSVerify", true);
    var answer =
        server.ask("admin", "PUT", API_SERVICES + "/v1.apps", io.berth.codec.Json.text(service));
    assertThat(answer.code()).isEqualTo(200);

    assertThat(server.get("admin", "/apis/apps/v1/deployments").code()).isEqualTo(200);
    assertThat(extension.asked()).isEmpty();
  }

  @Test
  void aRegistrationThatIsDeletedIsForgotten() {
    register("");
    awaitAvailable();
    server.ask("admin", "DELETE", API_SERVICES + "/" + NAME, "");

    assertThat(server.get("admin", FLUNDERS).code()).isEqualTo(404);
    await(() -> !TestServer.text(server.get("admin", "/apis")).contains("wardle"));
  }

  // ---- the cluster ---------------------------------------------------------------------------

  private void register(String more) {
    registerWith(
        "'caBundle':'%s'%s"
            .formatted(
                Base64.getEncoder()
                    .encodeToString(SIGNER.certificatePem().getBytes(StandardCharsets.UTF_8)),
                more));
  }

  private void registerWith(String more) {
    post(
        API_SERVICES,
        """
        {'metadata':{'name':'v1.wardle.example.com'},
         'spec':{'group':'wardle.example.com','version':'v1','groupPriorityMinimum':1000,
                 'versionPriority':15,'service':{'namespace':'wardle','name':'api','port':%d},%s}}
        """
            .formatted(extension.port(), more));
  }

  private void externalName(String host) {
    server.ask("admin", "DELETE", "/api/v1/namespaces/wardle/services/api", "");
    service("{'type':'ExternalName','externalName':'%s'}".formatted(host));
  }

  private void service(String spec) {
    post(
        "/api/v1/namespaces/wardle/services",
        "{'metadata':{'name':'api'},'spec':%s}".formatted(spec));
  }

  private void slice(String ready) {
    post(
        "/apis/discovery.k8s.io/v1/namespaces/wardle/endpointslices",
        """
        {'metadata':{'name':'api','labels':{'kubernetes.io/service-name':'api'}},
         'addressType':'FQDN','ports':[{'name':'https','port':%d}],
         'endpoints':[{'addresses':['127.0.0.1'],'conditions':{'ready':%s}}]}
        """
            .formatted(extension.port(), ready));
  }

  /// Lets a user do everything with flunders.
  private void allow(String user) {
    post(
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        "{'metadata':{'name':'f'},'rules':[{'apiGroups':['wardle.example.com'],'resources':['flunders'],'verbs':['*']}]}");
    post(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        "{'metadata':{'name':'f'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'f'},'subjects':[{'apiGroup':'rbac.authorization.k8s.io','kind':'User','name':'%s'}]}"
            .formatted(user));
  }

  private void post(String path, String body) {
    var answer = server.post("admin", path, body);
    if (answer.code() != 201) {
      throw new IllegalArgumentException(TestServer.text(answer));
    }
  }

  private Answer ask(
      String token, String method, String path, Map<String, List<String>> more, String body) {
    var headers = new HashMap<>(more);
    headers.put("authorization", List.of("Bearer " + token));
    return server.ask(
        headers, method, path, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> header(Answer answer, String name) {
    return answer.headers().stream()
        .filter(header -> header.getKey().equals(name))
        .map(Map.Entry::getValue)
        .toList();
  }

  private Tree authentication() {
    return TestServer.json(
        server.get(
            "admin",
            "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication"));
  }

  private String frontProxyAuthority() {
    return Objects.requireNonNull(
        authentication().texts("data").get("requestheader-client-ca-file"));
  }

  private void awaitAvailable() {
    await("Passed");
  }

  /// The condition of our server once it has this reason.
  private Tree await(String reason) {
    await(() -> condition().textOrEmpty("reason").equals(reason));
    return condition();
  }

  private Tree condition() {
    var conditions =
        TestServer.json(server.get("admin", API_SERVICES + "/" + NAME))
            .trees("status", "conditions");
    return conditions.isEmpty() ? new Tree() : conditions.getFirst();
  }

  /// Waits for what a thread of the server does in its own time.
  private void await(java.util.function.BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("did not happen; the condition is " + condition());
      }
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
