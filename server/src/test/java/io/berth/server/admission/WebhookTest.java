package io.berth.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.identity.Authority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A server asks webhooks over HTTPS. The messages were compared with kube-apiserver 1.37.1.
class WebhookTest {

  private static final Authority AUTHORITY = Authority.open(null);

  private final List<Tree> reviews = new CopyOnWriteArrayList<>();
  private PolicyServer server;
  private HttpsServer webhook;

  @BeforeEach
  void start() throws Exception {
    server = new PolicyServer();
    webhook = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    webhook.setHttpsConfigurator(new HttpsConfigurator(identity()));
    webhook.createContext("/", this::answer);
    webhook.start();
  }

  @AfterEach
  void stop() {
    webhook.stop(0);
    server.close();
  }

  private static SSLContext identity() throws Exception {
    var own = AUTHORITY.server(List.of("127.0.0.1"));
    var keys = KeyStore.getInstance(KeyStore.getDefaultType());
    keys.load(null, null);
    keys.setKeyEntry(
        "own",
        own.key(),
        new char[0],
        new Certificate[] {own.certificate(), AUTHORITY.certificate()});
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, new char[0]);
    var context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  /// The path says what the answer is.
  private void answer(HttpExchange exchange) throws IOException {
    var review = Json.read(exchange.getRequestBody().readAllBytes());
    reviews.add(review);
    var response = Tree.of("uid", review.textOrEmpty("request", "uid"), "allowed", Boolean.TRUE);
    switch (exchange.getRequestURI().getPath()) {
      case "/deny" ->
          response
              .put("allowed", Boolean.FALSE)
              .put("status", Tree.of("message", "no way", "code", 403, "reason", "Forbidden"));
      case "/silent" -> response.put("allowed", Boolean.FALSE);
      case "/other" -> response.put("uid", "other");
      case "/label" ->
          response
              .put("patchType", "JSONPatch")
              .put(
                  "patch", base64("[{\"op\":\"add\",\"path\":\"/data\",\"value\":{\"a\":\"b\"}}]"));
      default -> {}
    }
    var body =
        Json.write(
            Tree.of(
                "apiVersion", "admission.k8s.io/v1",
                "kind", "AdmissionReview",
                "response", response));
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private void validating(String path, String more) {
    register("validatingwebhookconfigurations", path, AUTHORITY.certificatePem(), more);
  }

  private void register(String plural, String path, String authority, String more) {
    server.register(
        plural,
        """
        metadata: {name: hooks}
        webhooks:
        - name: hook.example.com
          admissionReviewVersions: [v1]
          sideEffects: None
          rules:
          - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}
          clientConfig: {url: 'https://127.0.0.1:%d%s', caBundle: %s}
        %s
        """
            .formatted(webhook.getAddress().getPort(), path, base64(authority), more.indent(2)));
  }

  @Test
  void theWebhookSeesTheRequest() {
    validating("/allow", "");

    assertThat(server.refusal("metadata: {name: a}\ndata: {x: y}")).isEmpty();
    var request = reviews.getFirst().treeOrEmpty("request");
    assertThat(request.textOrEmpty("operation")).isEqualTo("CREATE");
    assertThat(request.textOrEmpty("resource", "resource")).isEqualTo("configmaps");
    assertThat(request.textOrEmpty("namespace")).isEqualTo("pt");
    assertThat(request.textOrEmpty("userInfo", "username")).isEqualTo("root");
    assertThat(request.texts("object", "data")).isEqualTo(Map.of("x", "y"));
    assertThat(request.get("oldObject")).isNull();
  }

  @Test
  void whatItDoesNotAllowIsRefused() {
    validating("/deny", "");

    var answer = server.create("metadata: {name: a}");
    assertThat(answer.code()).isEqualTo(403);
    assertThat(PolicyServer.message(answer))
        .isEqualTo("admission webhook \"hook.example.com\" denied the request: no way");
  }

  @Test
  void aRefusalNeedsNoReason() {
    validating("/silent", "");

    assertThat(server.refusal("metadata: {name: a}"))
        .isEqualTo("admission webhook \"hook.example.com\" denied the request without explanation");
  }

  @Test
  void anAnswerToSomethingElseIsNone() {
    validating("/other", "");

    assertThat(server.refusal("metadata: {name: a}"))
        .startsWith(
            "Internal error occurred: failed calling webhook \"hook.example.com\": received invalid"
                + " webhook response: expected response.uid=")
        .endsWith("got \"other\"");
  }

  @Test
  void aWebhookThatCannotBeAskedDecidesAsItsFailurePolicySays() {
    webhook.stop(0);
    validating("/allow", "");
    assertThat(server.refusal("metadata: {name: a}"))
        .contains("failed calling webhook \"hook.example.com\": failed to call webhook: Post \"")
        .endsWith("connect: connection refused");

    register(
        "mutatingwebhookconfigurations",
        "/allow",
        AUTHORITY.certificatePem(),
        "failurePolicy: Ignore");
    assertThat(server.refusal("metadata: {name: a}")).contains("failed calling webhook");
  }

  @Test
  void anAuthorityThatDidNotSignIsNotTrusted() {
    register(
        "validatingwebhookconfigurations", "/allow", Authority.open(null).certificatePem(), "");

    assertThat(server.refusal("metadata: {name: a}"))
        .contains("tls: failed to verify certificate: x509: ");
    assertThat(reviews).isEmpty();
  }

  @Test
  void matchConditionsKeepRequestsAway() {
    validating(
        "/deny", "matchConditions: [{name: c, expression: \"object.metadata.name == 'b'\"}]");

    assertThat(server.refusal("metadata: {name: a}")).isEmpty();
    assertThat(server.refusal("metadata: {name: b}")).endsWith("no way");
  }

  @Test
  void aPatchChangesTheObject() {
    register("mutatingwebhookconfigurations", "/label", AUTHORITY.certificatePem(), "");

    assertThat(server.created("metadata: {name: a}").texts("data")).isEqualTo(Map.of("a", "b"));
  }

  @Test
  void deletionsAreShownWithTheOldObject() {
    server.create("metadata: {name: a}\ndata: {x: y}");
    validating("/deny", "");

    assertThat(PolicyServer.message(server.delete("a"))).endsWith("no way");
    var request = reviews.getFirst().treeOrEmpty("request");
    assertThat(request.textOrEmpty("operation")).isEqualTo("DELETE");
    assertThat(request.texts("oldObject", "data")).isEqualTo(Map.of("x", "y"));
  }
}
