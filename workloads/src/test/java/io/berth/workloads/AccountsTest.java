package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.workloads.access.Account;
import io.berth.workloads.access.Accounts;
import io.berth.workloads.access.Roles;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What becomes of accounts, and of who had a part in them.
class AccountsTest {

  private static final int APPLICATION_ADMINISTRATOR = 11;

  private Api api;

  @BeforeEach
  void start() throws InterruptedException {
    api = new Api();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  /// A login takes a moment, from reading the account to noting the time.
  @Test
  void whoLogsInUndoesNothing() throws InterruptedException {
    try (var state = State.open(api.cluster, InstantSource.system())) {
      var accounts = new Accounts(state);
      var read = accounts.create(Account.Kind.SERVICE_ACCOUNT, "robot", "test", "").account();
      accounts.enable(read, false);
      accounts.renewSecret(read);

      accounts.loggedIn(read);

      var now = accounts.findByClientId(read.clientId()).orElseThrow();
      assertThat(now.enabled()).isFalse();
      assertThat(now.secretHash()).isNotEqualTo(read.secretHash());
      assertThat(now.lastLogin()).isNotEmpty();
    }
  }

  @Test
  void aNameThatIsUsedAgainIsSomebodyElse() {
    var user = api.post("/api/v1/users", Tree.of("email", "ada@lab.example")).body();
    var token = login("ada@lab.example", user.textOrEmpty("tempPassword")).body();
    api.delete("/api/v1/users/" + user.text("id"));

    api.post("/api/v1/users", Tree.of("email", "ada@lab.example"));

    var before = token.textOrEmpty("accessToken");
    assertThat(api.as(before, "GET", "/api/v1/authorization/me/access-rules", null).code())
        .isEqualTo(401);
    assertThat(refreshed(token).code()).isEqualTo(400);
  }

  /// In the alphabet of tokens these end up as characters that known clients cannot decode.
  @Test
  void everyAddressCanLogIn() {
    for (var email : new String[] {"~~~@lab.example", "a?b>c@lab.example", "ægir@lab.example"}) {
      var user = api.post("/api/v1/users", Tree.of("email", email)).body();

      var reply = login(email, user.textOrEmpty("tempPassword"));

      assertThat(reply.code()).isEqualTo(200);
    }
  }

  @Test
  void aNewSecretEndsWhatTheOldOneBegan() {
    var robot = api.post("/api/v1/service-accounts", Tree.of("name", "robot")).body();
    var tokens =
        api.send(
                "POST",
                "/api/v1/token",
                Tree.of(
                    "grantType", "client_credentials",
                    "clientId", robot.text("clientId"),
                    "clientSecret", robot.text("clientSecret")),
                Map.of())
            .body();
    assertThat(refreshed(tokens).code()).isEqualTo(200);

    api.post("/api/v1/service-accounts/%s/secret".formatted(robot.text("id")), null);

    assertThat(refreshed(tokens).code()).isEqualTo(400);
  }

  @Test
  void nobodyGetsMoreRightsByMakingANewSecret() {
    var keeper = api.account("keeper", APPLICATION_ADMINISTRATOR, "tenant", "1001");
    api.account("viewer", 10, "tenant", "1001");
    api.account("other-keeper", APPLICATION_ADMINISTRATOR, "tenant", "1001");

    assertThat(newSecret(keeper, "admin").code()).isEqualTo(403);
    assertThat(newSecret(keeper, "viewer").code()).isEqualTo(403);
    assertThat(newSecret(keeper, "other-keeper").code()).isEqualTo(200);
  }

  @Test
  void nobodyRemovesOrWeakensWhoMayDoMore() {
    var key = api.post("/api/v1/access-keys", Tree.of("name", "key")).body().text("id");
    var account = "/api/v1/service-accounts/" + idOf("admin");
    var rule = "/api/v1/authorization/access-rules/" + rule();
    var batch =
        Tree.of("action", "delete", "ids", List.of(rule.substring(rule.lastIndexOf('/') + 1)));
    for (var role : Roles.ALL) {
      if (role.id() == Roles.administrator().id()) {
        continue;
      }
      var name = "role-" + role.id();
      var token = api.account(name, role.id(), "tenant", "1001");
      var replies =
          List.of(
              api.as(token, "DELETE", account, null),
              api.as(token, "PATCH", account, Tree.of("enabled", false)),
              api.as(token, "POST", account + "/secret", null),
              api.as(token, "DELETE", "/api/v1/administration/access-keys/" + key, null),
              api.as(token, "DELETE", rule, null),
              api.as(token, "POST", "/api/v1/authorization/access-rules/batch", batch));

      assertThat(replies.subList(0, 5))
          .as(role.name())
          .extracting(Api.Reply::code)
          .isSubsetOf(403, 404);
      assertThat(api.get(rule).code()).as(role.name()).isEqualTo(200);
    }
    assertThat(api.get(account).body().flag("enabled")).isTrue();
    assertThat(api.get("/api/v1/access-keys/" + key).code()).isEqualTo(200);
    assertThat(api.delete(rule).code()).isEqualTo(204);
  }

  private String rule() {
    var rules = api.get("/api/v1/authorization/me/access-rules").body().trees("accessRules");
    return String.valueOf(rules.getFirst().get("id"));
  }

  private Api.Reply newSecret(String token, String account) {
    var path = "/api/v1/service-accounts/%s/secret".formatted(idOf(account));
    return api.as(token, "POST", path, null);
  }

  @Test
  void theKeysOfADisabledAccountAreOut() {
    var token = api.account("owner", 9, "tenant", "1001");
    var key = api.as(token, "POST", "/api/v1/access-keys", Tree.of("name", "key")).body();
    var acting = api.token(key.textOrEmpty("clientId"), key.textOrEmpty("clientSecret"));
    assertThat(api.as(acting, "GET", "/api/v1/workloads", null).code()).isEqualTo(200);
    var owner = "/api/v1/service-accounts/" + idOf("owner");

    api.patch(owner, Tree.of("enabled", false));

    assertThat(api.as(acting, "GET", "/api/v1/workloads", null).code()).isEqualTo(401);
    assertThat(api.token(key.textOrEmpty("clientId"), key.textOrEmpty("clientSecret"))).isEmpty();
    api.patch(owner, Tree.of("enabled", true));
    assertThat(api.as(acting, "GET", "/api/v1/workloads", null).code()).isEqualTo(200);
  }

  @Test
  void aRuleThatMakesNoSenseAllowsNothingAndHarmsNobody() {
    var token = api.account("robot", 10, "tenant", "1001");
    var rules = "/api/v1/authorization/access-rules";
    var before = api.get(rules + "/count").body().number(0, "count");

    api.cluster.create(
        BerthKinds.ACCESS_RULES,
        Tree.of(
            "metadata",
            Tree.of("name", "nonsense"),
            "spec",
            Tree.of("id", 7777, "subjectId", clientIdOf("robot"), "roleId", 1, "scopeType", "?")));
    api.cluster.create(
        BerthKinds.ACCESS_RULES,
        Tree.of(
            "metadata",
            Tree.of("name", "sense"),
            "spec",
            Tree.of(
                "id",
                7778,
                "subjectId",
                clientIdOf("robot"),
                "roleId",
                5,
                "scopeType",
                "tenant",
                "scopeId",
                "1001")));
    api.await(() -> api.get(rules + "/count").body().number(0, "count") == before + 1);

    assertThat(api.as(token, "GET", "/api/v1/workloads", null).code()).isEqualTo(200);
    assertThat(api.as(token, "GET", "/api/v1/users", null).code()).isEqualTo(403);
    assertThat(api.get(rules + "/7777").code()).isEqualTo(404);
  }

  private Api.Reply login(String user, String password) {
    return api.send(
        "POST",
        "/api/v1/token",
        Tree.of("grantType", "password", "username", user, "password", password),
        Map.of());
  }

  private Api.Reply refreshed(Tree tokens) {
    return api.send(
        "POST",
        "/api/v1/token",
        Tree.of("grantType", "refresh_token", "refreshToken", tokens.text("refreshToken")),
        Map.of());
  }

  private String idOf(String account) {
    return account(account).textOrEmpty("id");
  }

  private String clientIdOf(String account) {
    return account(account).textOrEmpty("clientId");
  }

  private Tree account(String name) {
    return Tree.of("list", api.get("/api/v1/service-accounts").value()).trees("list").stream()
        .filter(account -> account.textOrEmpty("name").equals(name))
        .findFirst()
        .orElseThrow();
  }
}
