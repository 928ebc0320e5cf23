package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.admission.AdmissionChain;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who gets in, over TLS on a free port of the loopback.
class WireTest {

  private static final Authority AUTHORITY = Authority.open(null);

  private static Store store;
  private static ApiServer server;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    store = Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
    server =
        new ApiServer(
            store, AUTHORITY, AdmissionChain.of(List.of(), List.of()), ServerSettings.plain());
    port = server.listen("127.0.0.1", 0, List.of("127.0.0.1", "localhost"));
  }

  @AfterAll
  static void stop() {
    server.close();
    store.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/version", "/version/", "/healthz", "/livez", "/readyz"})
  void everybodyMayAskForHealthAndVersion(String path) throws Exception {
    assertThat(get(path, null, "").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api",
        "/apis",
        "/api/v1/nodes",
        "/api/v1/namespaces/default/secrets",
        "/openapi/v3",
        "/metrics",
        "/berth/v1/scheduler",
        "/berth/v1/snapshot",
        "/nowhere"
      })
  void strangersGetNothingElse(String path) throws Exception {
    assertThat(get(path, null, "").statusCode()).isEqualTo(403);
  }

  @Test
  void aClientCertificateOfTheClusterMakesAnAdministrator() throws Exception {
    var admin = AUTHORITY.client("admin", List.of("system:masters"));

    var answer = get("/api/v1/namespaces/default", admin, "");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(Json.read(answer.body()).textOrEmpty("metadata", "name")).isEqualTo("default");
  }

  @Test
  void aTimeoutThatIsNoDurationIsRefused() throws Exception {
    var bad = get("/version?timeout=soon", null, "");
    assertThat(bad.statusCode()).isEqualTo(400);
    assertThat(Json.read(bad.body()).text("message"))
        .isEqualTo(
            "invalid timeout specified in the request URL - time: invalid duration \"soon\"");
    assertThat(Json.read(get("/version?timeout=5", null, "").body()).text("message"))
        .endsWith("time: missing unit in duration \"5\"");
    for (var good : List.of("0", "0s", "3m", "1m30s", "1.5h")) {
      assertThat(get("/version?timeout=" + good, null, "").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void discoveryAndHealthAreNamedAsClientsExpect() throws Exception {
    var admin = AUTHORITY.client("admin", List.of("system:masters"));
    var pods =
        Json.read(get("/api/v1", admin, "").body()).trees("resources").stream()
            .filter(each -> each.textOrEmpty("name").equals("pods"))
            .findFirst()
            .orElseThrow();
    assertThat(pods.text("storageVersionHash")).isEqualTo("xPOwRZ+Yhw8=");
    assertThat(get("/metrics/slis", admin, "").body())
        .contains("kubernetes_healthcheck{name=\"ping\",type=\"readyz\"} 1");
    assertThat(
            Json.read(get("/api/v1/namespaces/default/services/kubernetes", admin, "").body())
                .text("spec", "clusterIP"))
        .isEqualTo("10.96.0.1");
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
    var forged = Authority.open(null).client("admin", List.of("system:masters"));

    assertThat(get("/healthz", forged, "").statusCode()).isEqualTo(401);
  }

  @Test
  void aServerCertificateIsNoClient() throws Exception {
    assertThat(get("/healthz", AUTHORITY.server(List.of("localhost")), "").statusCode())
        .isEqualTo(401);
  }

  @Test
  void tokensThatWereNotSignedHereAreRefused() throws Exception {
    var claims =
        encoded(
            "{\"iss\":\"https://kubernetes.default.svc\",\"aud\":[\"https://kubernetes.default.svc\"],"
                + "\"exp\":9999999999,\"sub\":\"system:serviceaccount:default:default\"}");
    var none = encoded("{\"alg\":\"none\"}") + "." + claims + ".";
    var symmetric = encoded("{\"alg\":\"HS256\"}") + "." + claims + "." + encoded("x");
    var signed = encoded("{\"alg\":\"RS256\"}") + "." + claims + "." + encoded("x".repeat(256));

    for (var token : List.of("x", "a.b.c", none, symmetric, signed)) {
      assertThat(get("/healthz", null, token).statusCode()).as(token).isEqualTo(401);
    }
  }

  @Test
  void aTokenWorksAsLongAsItsAccountLives() throws Exception {
    var admin = AUTHORITY.client("admin", List.of("system:masters"));
    post("/api/v1/namespaces/default/serviceaccounts", admin, account("robot"));
    var token =
        Json.read(
                post(
                        "/api/v1/namespaces/default/serviceaccounts/robot/token",
                        admin,
                        "{\"spec\":{}}")
                    .body())
            .textOrEmpty("status", "token");

    assertThat(get("/healthz", null, token).statusCode()).isEqualTo(200);
    assertThat(get("/api/v1/namespaces/default/pods", null, token).statusCode()).isEqualTo(403);

    send(request("/api/v1/namespaces/default/serviceaccounts/robot").DELETE(), admin, "");
    assertThat(get("/healthz", null, token).statusCode()).isEqualTo(401);
  }

  @Test
  void aBodyBeyondTheLimitIsRefused() throws Exception {
    var admin = AUTHORITY.client("admin", List.of("system:masters"));

    var answer =
        post("/api/v1/namespaces/default/configmaps", admin, " ".repeat(Limits.BODY_BYTES + 1));

    assertThat(answer.statusCode()).isEqualTo(413);
  }

  /// A refusal that overtakes the body would break the connection under a client still sending.
  @Test
  void aHeadBeyondTheLimitIsRefused() throws Exception {
    try (var socket = tls(null).getSocketFactory().createSocket("127.0.0.1", port)) {
      var text =
          "GET /healthz HTTP/1.1\r\nHost: x\r\nX: %s\r\n\r\n"
              .formatted("x".repeat(Limits.HEADER_BYTES));
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));

      assertThat(answer(socket.getInputStream())).startsWith("HTTP/1.1 431");
    }
  }

  @Test
  void aRefusalWaitsForTheBody() throws Exception {
    try (var socket = tls(null).getSocketFactory().createSocket("127.0.0.1", port)) {
      var request =
          String.join(
              "\r\n",
              "POST /api/v1/namespaces/default/configmaps HTTP/1.1",
              "Host: x",
              "Content-Length: 2",
              "",
              "");
      for (int i = 0; i < 2; i++) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        socket.setSoTimeout(100);
        assertThatThrownBy(() -> socket.getInputStream().read())
            .isInstanceOf(SocketTimeoutException.class);

        socket.getOutputStream().write("{}".getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        socket.setSoTimeout(0);
        assertThat(answer(socket.getInputStream())).startsWith("HTTP/1.1 403");
      }
    }
  }

  /// The head of an answer; its body is read and dropped.
  private static String answer(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.read());
    }
    var text = head.toString();
    var length = text.toLowerCase(Locale.ROOT).replaceAll("(?s).*content-length: (\\d+).*", "$1");
    in.skipNBytes(Long.parseLong(length));
    return text;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/namespaces/default/pods/..%2f..%2fsecrets",
        "/api/v1/%2e%2e/%2e%2e/etc/passwd",
        "/api/v1/namespaces/default/configmaps/%00",
        "/openapi/v3/../../secret"
      })
  void oddPathsLeadNowhere(String path) throws Exception {
    var admin = AUTHORITY.client("admin", List.of("system:masters"));

    assertThat(get(path, admin, "").statusCode()).isIn(400, 404);
  }

  private static String account(String name) {
    return Json.text(
        Tree.of("kind", "ServiceAccount", "apiVersion", "v1", "metadata", Tree.of("name", name)));
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static HttpResponse<String> get(
      String path, Authority.@Nullable Identity identity, String token) throws Exception {
    return send(request(path).GET(), identity, token);
  }

  private static HttpResponse<String> post(String path, Authority.Identity identity, String body)
      throws Exception {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)),
        identity,
        "");
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path));
  }

  private static HttpResponse<String> send(
      HttpRequest.Builder request, Authority.@Nullable Identity identity, String token)
      throws Exception {
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try (var client = HttpClient.newBuilder().sslContext(tls(identity)).build()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }

  private static SSLContext tls(Authority.@Nullable Identity identity) throws Exception {
    return TestTls.client(AUTHORITY, identity);
  }
}
