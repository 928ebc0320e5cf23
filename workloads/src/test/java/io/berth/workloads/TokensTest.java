package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TokensTest {

  private Api api;
  private Workloads.Credentials admin;

  @BeforeEach
  void start() throws InterruptedException {
    api = new Api();
    admin = api.workloads.administrator(null);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void everySpellingOfTheFirstVersionIsUnderstood() {
    for (var names :
        List.of(
            List.of("clientID", "clientSecret"),
            List.of("clientId", "clientSecret"),
            List.of("AppId", "AppSecret"),
            List.of("appID", "appSecret"))) {
      var body =
          Tree.of(
              "grantType",
              "app_token",
              names.get(0),
              admin.clientId(),
              names.get(1),
              admin.clientSecret());
      var reply = api.send("POST", "/api/v1/token", body, Map.of());

      assertThat(reply.code()).isEqualTo(200);
      assertThat(reply.body().number(0, "expiresIn")).isEqualTo(86400);
    }
  }

  @Test
  void thePayloadDecodesWithThePlainAlphabet() {
    for (int i = 0; i < 50; i++) {
      var payload = api.token(admin.clientId(), admin.clientSecret()).split("\\.", -1)[1];
      var claims = Json.read(Base64.getDecoder().decode(payload));

      assertThat(claims.number(0, "exp")).isGreaterThan(claims.number(0, "iat"));
    }
  }

  @Test
  void anUnknownClientAndAWrongSecretAreAnsweredAlike() {
    var wrong = first(admin.clientId(), "wrong");
    var unknown = first("nobody", "wrong");

    assertThat(wrong.code()).isEqualTo(400);
    assertThat(unknown.answer().text()).isEqualTo(wrong.answer().text());
  }

  private Api.Reply first(String clientId, String secret) {
    return api.send(
        "POST",
        "/api/v1/token",
        Tree.of("grantType", "client_credentials", "clientID", clientId, "clientSecret", secret),
        Map.of());
  }

  @Test
  void theSecondVersionSpeaksOauth() {
    var form =
        "grant_type=client_credentials&client_id=%s&client_secret=%s"
            .formatted(admin.clientId(), admin.clientSecret());
    var reply = api.send("POST", "/api/v2/token", form, Map.of());
    assertThat(reply.body().text("token_type")).isEqualTo("Bearer");

    var refresh = "grant_type=refresh_token&refresh_token=" + reply.body().text("refresh_token");
    var renewed = api.send("POST", "/api/v2/token", refresh, Map.of()).body();
    assertThat(api.as(renewed.textOrEmpty("access_token"), "GET", "/api/v1/clusters", null).code())
        .isEqualTo(200);

    var wrong = api.send("POST", "/api/v2/token", form + "x", Map.of());
    assertThat(wrong.code()).isEqualTo(401);
    assertThat(wrong.body().text("error")).isEqualTo("invalid_client");
    var empty = api.send("POST", "/api/v2/token", null, Map.of());
    assertThat(empty.code()).isEqualTo(400);
    assertThat(empty.body().text("error")).isEqualTo("invalid_request");
  }

  @Test
  void aUserLogsInWithAPassword() {
    var user = api.post("/api/v1/users", Tree.of("email", "ada@lab.example")).body();
    var reply =
        api.send(
            "POST",
            "/api/v1/token",
            Tree.of(
                "grantType", "password",
                "username", "ada@lab.example",
                "password", user.text("tempPassword")),
            Map.of());

    assertThat(reply.code()).isEqualTo(200);
  }

  @Test
  void withoutAValidTokenNothingIsServed() {
    var token = api.token(admin.clientId(), admin.clientSecret());
    var forged = token.substring(0, token.length() - 2) + (token.endsWith("AA") ? "BB" : "AA");
    var refresh = first(admin.clientId(), admin.clientSecret()).body().textOrEmpty("refreshToken");

    for (var each : List.of("", "x", "a.b.c", forged, refresh)) {
      assertThat(api.as(each, "GET", "/api/v1/clusters", null).code()).isEqualTo(401);
    }
    assertThat(api.send("GET", "/api/v1/clusters", null, Map.of()).code()).isEqualTo(401);
  }

  @Test
  void aDisabledAccountIsOut() {
    var token = api.account("robot", 10, "tenant", "1001");
    assertThat(api.as(token, "GET", "/api/v1/clusters", null).code()).isEqualTo(200);
    var id = account("robot").textOrEmpty("id");

    assertThat(api.patch("/api/v1/service-accounts/" + id, Tree.of("enabled", false)).code())
        .isEqualTo(200);
    assertThat(api.as(token, "GET", "/api/v1/clusters", null).code()).isEqualTo(401);
  }

  @Test
  void aDeletedAccountLeavesNoRightsBehind() {
    api.account("robot", 10, "tenant", "1001");
    var robot = account("robot");
    var rules =
        "/api/v1/authorization/access-rules/count?filterBy=subjectId==" + robot.text("clientId");
    assertThat(api.get(rules).body().number(0, "count")).isEqualTo(1);

    api.delete("/api/v1/service-accounts/" + robot.text("id"));

    assertThat(api.get(rules).body().number(-1, "count")).isEqualTo(0);
  }

  @Test
  void anAccessKeyThatGoesTakesNothingFromItsOwner() {
    var token = api.account("owner", 9, "tenant", "1001");
    var key = api.as(token, "POST", "/api/v1/access-keys", Tree.of("name", "key")).body();
    assertThat(api.as(token, "DELETE", "/api/v1/access-keys/" + key.text("id"), null).code())
        .isEqualTo(204);

    assertThat(api.as(token, "GET", "/api/v1/workloads", null).code()).isEqualTo(200);

    var another = api.as(token, "POST", "/api/v1/access-keys", Tree.of("name", "another")).body();
    var acting = api.token(another.textOrEmpty("clientId"), another.textOrEmpty("clientSecret"));
    api.delete("/api/v1/service-accounts/" + account("owner").text("id"));
    assertThat(api.as(acting, "GET", "/api/v1/workloads", null).code()).isEqualTo(401);
  }

  private Tree account(String name) {
    return Tree.of("list", api.get("/api/v1/service-accounts").value()).trees("list").stream()
        .filter(account -> account.textOrEmpty("name").equals(name))
        .findFirst()
        .orElseThrow();
  }
}
