package io.berth.console;

import static io.berth.console.ConsoleOnServer.HOST;
import static io.berth.console.ConsoleOnServer.ROOT;
import static io.berth.console.ConsoleOnServer.bearer;
import static io.berth.console.ConsoleOnServer.header;
import static io.berth.console.ConsoleOnServer.json;
import static io.berth.console.ConsoleOnServer.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.codec.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Who is let in, from where, and with what at most.
class ConsoleSecurityTest {

  private static final String CSP =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
          + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  static final List<String> READS =
      List.of(
          "session",
          "map",
          "stream",
          "pending",
          "decisions",
          "pods/default/web",
          "pods/default/web/explanation",
          "pods/default/web/scores");

  private final ConsoleOnServer console = new ConsoleOnServer();

  @AfterEach
  void close() {
    console.close();
  }

  @ParameterizedTest
  @FieldSource("READS")
  void nobodyIsAnsweredWithoutCredentials(String path) {
    assertThat(console.get("", path).code()).isEqualTo(401);
    assertThat(console.get("wrong", path).code()).isEqualTo(401);
  }

  @ParameterizedTest
  @FieldSource("READS")
  void aForgedCookieIsRefused(String path) {
    var cookie = console.signIn("admin").getOrDefault("cookie", "");
    var name = cookie.substring(0, cookie.indexOf('='));

    for (var forged : List.of("=", "=x", "=" + "A".repeat(43), "=" + "A".repeat(10_000))) {
      var answer = console.ask("GET", ROOT + path, "", Map.of("cookie", name + forged));
      assertThat(answer.code()).as(forged).isEqualTo(401);
    }
  }

  @Test
  void thePageIsForAnybodyAndHoldsNothingOfTheCluster() {
    var page = console.ask("GET", "/console/", "", Map.of());

    assertThat(page.code()).isEqualTo(200);
    assertThat(header(page, "Content-Security-Policy")).isEqualTo(CSP);
    assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(text(page)).doesNotContain("a cluster").doesNotContain("<script>");
  }

  record Trick(String path, int code) {}

  static final List<Trick> TRICKS =
      List.of(
          new Trick("/console/../api/v1/nodes", 404),
          new Trick("/console/assets/../index.html", 404),
          new Trick("/console/assets/..%2f..%2fConsole.class", 404),
          new Trick("/console/index.html/", 404),
          new Trick("/console/package-info.class", 404),
          new Trick("/console/api", 404),
          new Trick("/console/api/", 401),
          new Trick("/console/api/v2/map", 401),
          new Trick("/console//api/v1/map", 404),
          new Trick("/consoles", 403));

  @ParameterizedTest
  @FieldSource("TRICKS")
  void oddPathsLeadNowhere(Trick trick) {
    var answer = console.ask("GET", trick.path, "", Map.of());

    assertThat(answer.code()).as(text(answer)).isIn(trick.code, 404);
  }

  @Test
  void theCookieIsOutOfReachOfScriptsAndOtherSites() {
    var cookie = header(console.write("POST", "session", "", bearer("admin")), "Set-Cookie");

    assertThat(cookie)
        .startsWith("__Host-")
        .contains("; HttpOnly", "; SameSite=Strict", "; Secure", "; Path=/", "; Max-Age=28800");
  }

  record Write(String name, Map<String, String> headers) {}

  static final List<Write> FOREIGN =
      List.of(
          new Write("no header", Map.of("x-berth-console", "")),
          new Write("another origin", Map.of("origin", "https://example.com")),
          new Write("no origin", Map.of("origin", "")),
          new Write("opaque origin", Map.of("origin", "null")),
          new Write("the same without TLS", Map.of("origin", "http://" + HOST)),
          new Write("another port", Map.of("origin", "https://127.0.0.1:1")),
          new Write("cross-site", Map.of("sec-fetch-site", "cross-site")),
          new Write("same-site", Map.of("sec-fetch-site", "same-site")));

  @ParameterizedTest
  @FieldSource("FOREIGN")
  void otherSitesCannotWrite(Write write) {
    console.node("n", "a");
    var headers = new java.util.HashMap<>(console.signIn("admin"));
    headers.putAll(write.headers);
    var body = "{\"method\":\"DELETE\",\"path\":\"/api/v1/nodes/n\"}";

    assertThat(console.write("POST", "requests", body, headers).code()).isEqualTo(403);
    assertThat(console.write("POST", "session", "", headers).code()).isEqualTo(403);
    assertThat(console.write("POST", "codes", "", headers).code()).isEqualTo(403);
    assertThat(console.cluster().fetch(Resource.NODES, "", "n")).isNotNull();
  }

  @Test
  void otherSitesCannotRead() {
    var headers = new java.util.HashMap<>(console.signIn("admin"));
    headers.put("sec-fetch-site", "cross-site");

    assertThat(console.ask("GET", ROOT + "map", "", headers).code()).isEqualTo(403);
  }

  @Test
  void onLoopbackOtherNamesOfTheAddressAreRefused() {
    try (var loopback = new ConsoleOnServer(Set.of(HOST))) {
      assertThat(loopback.ask("GET", "/console/", "", Map.of()).code()).isEqualTo(200);
      var rebound = Map.of("host", "attacker.example:6443");
      assertThat(loopback.ask("GET", "/console/", "", rebound).code()).isEqualTo(421);
      var headers = Map.of("host", "attacker.example:6443", "authorization", "Bearer admin");
      assertThat(loopback.ask("GET", ROOT + "map", "", headers).code()).isEqualTo(421);
    }
  }

  @Test
  void aCodeOpensOneSessionAsWhoAskedForIt() {
    var code = json(console.write("POST", "codes", "", bearer("alice"))).textOrEmpty("code");
    var body = "{\"code\":\"%s\"}".formatted(code);

    var opened = console.write("POST", "session", body, Map.of());
    assertThat(json(opened).textOrEmpty("user")).isEqualTo("alice");
    assertThat(console.write("POST", "session", body, Map.of()).code()).isEqualTo(401);
  }

  @Test
  void aCodeIsGoodForAMinute() {
    var code = json(console.write("POST", "codes", "", bearer("alice"))).textOrEmpty("code");
    console.clock.advance(Duration.ofSeconds(61));

    var body = "{\"code\":\"%s\"}".formatted(code);
    assertThat(console.write("POST", "session", body, Map.of()).code()).isEqualTo(401);
  }

  @Test
  void nobodyGetsACodeWithoutBeingKnown() {
    assertThat(console.write("POST", "codes", "", Map.of()).code()).isEqualTo(401);
  }

  @Test
  void whoSignsOutIsOut() {
    var cookie = console.signIn("admin");
    assertThat(console.ask("GET", ROOT + "session", "", cookie).code()).isEqualTo(200);

    assertThat(console.write("DELETE", "session", "", cookie).code()).isEqualTo(200);

    assertThat(console.ask("GET", ROOT + "session", "", cookie).code()).isEqualTo(401);
  }

  @Test
  void aSessionEndsWhenNobodyUsesIt() {
    var cookie = console.signIn("admin");
    console.clock.advance(Duration.ofMinutes(31));

    assertThat(console.ask("GET", ROOT + "session", "", cookie).code()).isEqualTo(401);
  }

  @Test
  void aSessionIsNoCredentialForTheApi() {
    var cookie = console.signIn("admin");

    assertThat(console.ask("GET", "/api/v1/nodes", "", cookie).code()).isEqualTo(403);
  }

  @Test
  void nobodyActsAsSomebodyElse() {
    var headers = Map.of("authorization", "Bearer admin", "impersonate-user", "alice");

    assertThat(console.ask("GET", ROOT + "session", "", headers).code()).isEqualTo(400);
  }

  @Test
  void whatIsSentIsSentAsTheCaller() {
    console.node("n", "a");
    var body = "{\"method\":\"DELETE\",\"path\":\"/api/v1/nodes/n\"}";

    var refused = console.write("POST", "requests", body, console.signIn("alice"));
    assertThat(refused.code()).as(text(refused)).isEqualTo(403);
    var dry = body.replace("}", ",\"dryRun\":true}");
    assertThat(console.write("POST", "requests", dry, console.signIn("admin")).code())
        .isEqualTo(200);
    assertThat(console.cluster().fetch(Resource.NODES, "", "n")).isNotNull();
  }

  static final List<String> BODIES =
      List.of(
          "",
          "[]",
          "{}",
          "{\"method\":\"GET\",\"path\":\"/api/v1/nodes/n\"}",
          "{\"method\":\"DELETE\",\"path\":\"/metrics\"}",
          "{\"method\":\"DELETE\",\"path\":\"/console/api/v1/session\"}",
          "{\"method\":\"DELETE\",\"path\":\"/api/v1/nodes/n?dryRun=All\"}",
          "{\"method\":\"DELETE\",\"path\":\"https://example.com/api/v1/nodes/n\"}");

  @ParameterizedTest
  @FieldSource("BODIES")
  void nothingButAChangeOfAnObjectIsSent(String body) {
    assertThat(console.write("POST", "requests", body, console.signIn("admin")).code())
        .isEqualTo(400);
  }

  static final List<String> STEPS =
      List.of(
          "{}",
          "{\"steps\":[]}",
          "{\"steps\":[{\"apply\":[\"/etc/passwd\"]}]}",
          "{\"steps\":[{\"addNodes\":\"/etc/passwd\"}]}",
          "{\"steps\":\"- apply: /etc/passwd\"}",
          "{\"steps\":\"- lose: [\"}",
          "{\"steps\":[{\"lose\":{\"zone\":\"nowhere\"}}]}",
          "{\"steps\":[{\"explode\":{}}]}",
          "{\"steps\":[{\"fleet\":{\"count\":100000}}]}",
          "{\"steps\":[{\"scale\":{\"kind\":\"Deployment\",\"name\":\"a\",\"replicas\":99999999999}}]}");

  @ParameterizedTest
  @FieldSource("STEPS")
  void aPlanReadsNoFilesAndSaysWhatIsWrong(String body) {
    var answer = console.write("POST", "plans", body, console.signIn("admin"));

    assertThat(answer.code()).as(text(answer)).isEqualTo(400);
    assertThat(text(answer)).doesNotContain("root:");
  }

  @Test
  void aPlanIsForWhoSeesAllNodesAndPods() {
    console.node("n", "a");
    console.grant("alice", "", List.of("list"), List.of("pods"));
    var body = "{\"steps\":[{\"lose\":{\"node\":\"n\"}}]}";

    assertThat(console.write("POST", "plans", body, console.signIn("alice")).code()).isEqualTo(403);
    console.grant("alice", "", List.of("list"), List.of("nodes"));
    var answer = console.write("POST", "plans", body, console.signIn("alice"));
    assertThat(json(answer).flag("cut")).isTrue();
  }

  @Test
  void unknownParametersAreRefusedByName() {
    var answer = console.get("admin", "map?by=zone&limit=3");

    assertThat(answer.code()).isEqualTo(400);
    assertThat(text(answer)).contains("limit").contains("by");
  }

  @Test
  void textOfTheClusterIsTextInJson() {
    console.namespace("evil");
    console.node("n", "a");
    var markup = "<img src=x onerror=alert(1)>";
    console
        .cluster()
        .patch(
            Resource.NODES,
            "",
            "n",
            null,
            io.berth.cluster.Cluster.PatchType.MERGE,
            Json.read("{\"metadata\":{\"annotations\":{\"a\":\"%s\"}}}".formatted(markup)));

    var map = console.get("admin", "map");
    assertThat(header(map, "Content-Type")).isEqualTo("application/json");
    assertThat(header(map, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(map, "Content-Security-Policy")).isEqualTo(CSP);
  }
}
