package io.berth.workloads.access;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.workloads.state.State;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signed tokens (JWT, HS256) that say which account they stand for and until when.
///
/// The key lies in a Secret, so tokens outlive a restart. Known clients decode the payload with the
/// plain base64 alphabet: it is made again, with another id, until it needs no `-` and no `_`.
public final class Tokens {

  public static final Duration LIFETIME = Duration.ofDays(1);
  private static final Duration REFRESH_LIFETIME = Duration.ofDays(30);
  private static final String KEY_SECRET = "workloads-token-key";
  private static final String HEADER =
      encoded("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8));

  private final State state;
  private final Accounts accounts;
  private final SecretKeySpec key;

  public Tokens(State state, Accounts accounts) {
    this.state = state;
    this.accounts = accounts;
    this.key = new SecretKeySpec(keyBytes(state), "HmacSHA256");
  }

  public String access(Account account) {
    return issue(account, "Bearer", LIFETIME);
  }

  public String refresh(Account account) {
    return issue(account, "Refresh", REFRESH_LIFETIME);
  }

  /// The account a valid access token stands for.
  public Optional<Account> accountOf(String token) {
    return verified(token, "Bearer").flatMap(this::account);
  }

  /// The account a valid refresh token stands for: it ends with the secret it was got by.
  public Optional<Account> accountOfRefresh(String token) {
    return verified(token, "Refresh")
        .flatMap(
            claims -> account(claims).filter(found -> secretId(found).equals(claims.text("key"))));
  }

  /// Not by its name, which somebody else may come to have.
  private Optional<Account> account(Tree claims) {
    return accounts.find(claims.textOrEmpty("sub")).filter(accounts::isActive);
  }

  private static String secretId(Account account) {
    return UUID.nameUUIDFromBytes(Passwords.bytes(account.secretHash())).toString();
  }

  private String issue(Account account, String type, Duration lifetime) {
    long now = state.times().instant().getEpochSecond();
    while (true) {
      var claims =
          Tree.of(
              "iss",
              "berth",
              "sub",
              account.id(),
              "typ",
              type,
              "iat",
              now,
              "exp",
              now + lifetime.toSeconds(),
              "key",
              secretId(account),
              "jti",
              UUID.randomUUID().toString());
      var payload = encoded(Json.write(claims));
      if (payload.indexOf('-') < 0 && payload.indexOf('_') < 0) {
        var signed = HEADER + "." + payload;
        return signed + "." + encoded(sign(signed));
      }
    }
  }

  private Optional<Tree> verified(String token, String type) {
    int dot = token.lastIndexOf('.');
    if (dot < 0 || !token.startsWith(HEADER + ".") || dot <= HEADER.length()) {
      return Optional.empty();
    }
    try {
      var signature = Base64.getUrlDecoder().decode(token.substring(dot + 1));
      if (!MessageDigest.isEqual(signature, sign(token.substring(0, dot)))) {
        return Optional.empty();
      }
      var claims =
          Json.read(Base64.getUrlDecoder().decode(token.substring(HEADER.length() + 1, dot)));
      boolean valid =
          claims.textOrEmpty("typ").equals(type)
              && claims.number(0, "exp") > state.times().instant().getEpochSecond();
      return valid ? Optional.of(claims) : Optional.empty();
    } catch (IllegalArgumentException | SyntaxException e) {
      return Optional.empty();
    }
  }

  private byte[] sign(String text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return mac.doFinal(Passwords.bytes(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no HmacSHA256 in this Java", e);
    }
  }

  private static byte[] keyBytes(State state) {
    var secrets = state.table(Resource.SECRETS);
    var known = secrets.find(State.NAMESPACE, KEY_SECRET);
    if (known.isPresent()) {
      return Base64.getDecoder().decode(known.get().textOrEmpty("data", "key"));
    }
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    try {
      secrets.create(
          Tree.of(
              "metadata",
              Tree.of("name", KEY_SECRET, "namespace", State.NAMESPACE),
              "type",
              "Opaque",
              "data",
              Tree.of("key", Base64.getEncoder().encodeToString(bytes))));
      return bytes;
    } catch (ApiException e) {
      if (e.code() != 409) {
        throw e;
      }
      var other = state.cluster().fetch(Resource.SECRETS, State.NAMESPACE, KEY_SECRET);
      return Base64.getDecoder().decode(other.textOrEmpty("data", "key"));
    }
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
