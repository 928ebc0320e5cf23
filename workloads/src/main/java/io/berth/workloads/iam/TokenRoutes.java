package io.berth.workloads.iam;

import io.berth.api.Tree;
import io.berth.workloads.access.Account;
import io.berth.workloads.access.Accounts;
import io.berth.workloads.access.Tokens;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// `/api/v1/token` and `/api/v2/token`.
///
/// An unknown client and a wrong secret are answered alike. On v1 that is 400: known clients send a
/// request that was answered 401 again.
public final class TokenRoutes {

  private final Accounts accounts;
  private final Tokens tokens;

  public TokenRoutes(Accounts accounts, Tokens tokens) {
    this.accounts = accounts;
    this.tokens = tokens;
  }

  public void addTo(Routes routes) {
    routes
        .post("/api/v1/token", "grant_token", this::first)
        .open()
        .takes("TokenRequest")
        .answers(200);
    routes.post("/api/v2/token", "grant_token_v2", this::second).open().answers(200);
  }

  /// Field names in any spelling of case: `clientID`, `clientId` and `AppId` are all in use.
  private Answer first(Call call) {
    var fields = new HashMap<String, String>();
    call.body("")
        .fields()
        .forEach((name, value) -> {
          if (value instanceof String text) {
            fields.put(name.toLowerCase(Locale.ROOT), text);
          }
        });
    var account =
        switch (fields.getOrDefault("granttype", "")) {
          case "client_credentials", "app_token" ->
              accounts.authenticate(
                  either(fields, "clientid", "appid"), either(fields, "clientsecret", "appsecret"));
          case "password" -> byPassword(fields);
          case "refresh_token" -> byRefresh(fields.getOrDefault("refreshtoken", ""));
          case "" -> throw Refusal.badRequest("Required parameter is missing: grantType");
          case String other ->
              throw Refusal.badRequest(
                  "grantType \"%s\" is not served; use client_credentials, password or refresh_token"
                      .formatted(other.length() > 64 ? other.substring(0, 64) : other));
        };
    var known =
        account.orElseThrow(() -> Refusal.badRequest("Invalid client id or client secret."));
    accounts.loggedIn(known);
    var token = tokens.access(known);
    return Answer.json(
        200,
        Tree.of(
            "accessToken",
            token,
            "idToken",
            token,
            "refreshToken",
            tokens.refresh(known),
            "expiresIn",
            Tokens.LIFETIME.toSeconds()));
  }

  private Answer second(Call call) {
    var fields = form(call);
    Optional<Account> account;
    var grant = fields.getOrDefault("grant_type", "");
    switch (grant) {
      case "client_credentials" ->
          account =
              accounts.authenticate(
                  fields.getOrDefault("client_id", ""), fields.getOrDefault("client_secret", ""));
      case "password" -> account = byPassword(fields);
      case "refresh_token" -> account = byRefresh(fields.getOrDefault("refresh_token", ""));
      case "" -> {
        return error(400, "invalid_request", "grant_type is missing");
      }
      default -> {
        return error(
            400,
            "unsupported_grant_type",
            "use one of client_credentials, password, refresh_token");
      }
    }
    if (account.isEmpty()) {
      return grant.equals("client_credentials")
          ? error(401, "invalid_client", "Invalid client or Invalid client credentials")
          : error(400, "invalid_grant", "Invalid user credentials or refresh token");
    }
    accounts.loggedIn(account.get());
    var token = tokens.access(account.get());
    return Answer.json(
            200,
            Tree.of(
                "access_token",
                token,
                "token_type",
                "Bearer",
                "expires_in",
                Tokens.LIFETIME.toSeconds(),
                "refresh_token",
                tokens.refresh(account.get()),
                "id_token",
                token,
                "scope",
                "openid"))
        .with("Cache-Control", "no-store");
  }

  private Optional<Account> byPassword(Map<String, String> fields) {
    return accounts
        .authenticate(fields.getOrDefault("username", ""), fields.getOrDefault("password", ""))
        .filter(account -> account.kind() == Account.Kind.USER);
  }

  private Optional<Account> byRefresh(String token) {
    return tokens.accountOfRefresh(token);
  }

  private static String either(Map<String, String> fields, String first, String second) {
    return fields.getOrDefault(first, fields.getOrDefault(second, ""));
  }

  private static Answer error(int code, String error, String description) {
    return Answer.json(code, Tree.of("error", error, "error_description", description));
  }

  private static Map<String, String> form(Call call) {
    var fields = new HashMap<String, String>();
    for (var pair : new String(call.bytes(), StandardCharsets.UTF_8).split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        fields.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
      }
    }
    return fields;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
