package io.berth.server.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.berth.admission.User;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.server.access.Objects;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.text.ParseException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Service account tokens: signed here, and checked against what is stored now.
///
/// A token dies with its service account and with the object it is bound to.
public final class Tokens {

  public static final String ISSUER = "https://kubernetes.default.svc";

  private static final String CLAIM = "kubernetes.io";

  private final Authority authority;
  private final StaticTokens staticTokens;
  private final Objects objects;
  private final InstantSource clock;
  private final SignedTokens signed = new SignedTokens();
  private @Nullable Keys keys;

  public Tokens(
      Authority authority, StaticTokens staticTokens, Objects objects, InstantSource clock) {
    this.authority = authority;
    this.staticTokens = staticTokens;
    this.objects = objects;
    this.clock = clock;
  }

  /// A token for a service account, perhaps bound to a pod, secret or node.
  public String issue(
      Tree account, List<String> audiences, Instant expires, @Nullable Bound bound) {
    var namespace = account.textOrEmpty("metadata", "namespace");
    var name = account.textOrEmpty("metadata", "name");
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("namespace", namespace);
    facts.put(
        "serviceaccount", Map.of("name", name, "uid", account.textOrEmpty("metadata", "uid")));
    if (bound != null) {
      facts.put(bound.claim(), Map.of("name", bound.name(), "uid", bound.uid()));
      if (bound.node() != null) {
        facts.put("node", Map.of("name", bound.node().name(), "uid", bound.node().uid()));
      }
    }
    var now = clock.instant();
    var claims =
        new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .subject("system:serviceaccount:%s:%s".formatted(namespace, name))
            .audience(audiences)
            .issueTime(Date.from(now))
            .notBeforeTime(Date.from(now))
            .expirationTime(Date.from(expires))
            .jwtID(UUID.randomUUID().toString())
            .claim(CLAIM, facts)
            .build();
    try {
      var key = keys();
      // The library writes a single audience as a text; Kubernetes always writes a list.
      var content = claims.toJSONObject();
      content.put("aud", audiences);
      var token =
          new JWSObject(
              new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.id()).build(),
              new Payload(content));
      token.sign(new RSASSASigner(key.secret()));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException("cannot sign a token", e);
    }
  }

  /// The user of a token for this API; 401 when it is not valid.
  public User authenticate(String token) {
    var user = find(token, List.of(ISSUER));
    if (user == null) {
      throw Authenticator.unauthorized();
    }
    return user;
  }

  /// The user of a token that is for one of the audiences, or `null`.
  public @Nullable User find(String text, List<String> audiences) {
    // As in Kubernetes, a token from the file is good for this API and for nothing else.
    var known = audiences.contains(ISSUER) ? staticTokens.find(text) : null;
    if (known != null) {
      return known;
    }
    try {
      var claims = signed.find(text);
      if (claims == null) {
        claims = verified(text);
        if (claims == null) {
          return null;
        }
        signed.add(text, claims);
      }
      return user(claims, audiences);
    } catch (ParseException | JOSEException | IllegalArgumentException e) {
      return null;
    }
  }

  private @Nullable JWTClaimsSet verified(String text) throws ParseException, JOSEException {
    var token = SignedJWT.parse(text);
    return JWSAlgorithm.RS256.equals(token.getHeader().getAlgorithm())
            && token.verify(new RSASSAVerifier(keys().open()))
        ? token.getJWTClaimsSet()
        : null;
  }

  private @Nullable User user(JWTClaimsSet claims, List<String> audiences) throws ParseException {
    var now = clock.instant();
    boolean current =
        claims.getExpirationTime() != null
            && claims.getExpirationTime().toInstant().isAfter(now)
            && (claims.getNotBeforeTime() == null
                || !claims.getNotBeforeTime().toInstant().minusSeconds(10).isAfter(now));
    if (!ISSUER.equals(claims.getIssuer())
        || !current
        || claims.getAudience().stream().noneMatch(audiences::contains)) {
      return null;
    }
    var facts = claims.getJSONObjectClaim(CLAIM);
    return facts == null ? null : user(Tree.ofMap(facts), claims.getJWTID());
  }

  private @Nullable User user(Tree facts, String id) {
    var namespace = facts.textOrEmpty("namespace");
    var name = facts.textOrEmpty("serviceaccount", "name");
    var uid = facts.textOrEmpty("serviceaccount", "uid");
    if (!isAlive(Resource.SERVICE_ACCOUNTS, namespace, name, uid)) {
      return null;
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    extra.put(Authenticator.CREDENTIAL, List.of("JTI=" + id));
    var pod = facts.tree("pod");
    if (pod != null) {
      if (!isAlive(Resource.PODS, namespace, pod.textOrEmpty("name"), pod.textOrEmpty("uid"))) {
        return null;
      }
      extra.put("authentication.kubernetes.io/pod-name", List.of(pod.textOrEmpty("name")));
      extra.put("authentication.kubernetes.io/pod-uid", List.of(pod.textOrEmpty("uid")));
    }
    var secret = facts.tree("secret");
    if (secret != null
        && !isAlive(
            Resource.SECRETS, namespace, secret.textOrEmpty("name"), secret.textOrEmpty("uid"))) {
      return null;
    }
    var node = facts.tree("node");
    if (node != null) {
      boolean boundToNode = pod == null;
      if (boundToNode
          && !isAlive(Resource.NODES, "", node.textOrEmpty("name"), node.textOrEmpty("uid"))) {
        return null;
      }
      extra.put("authentication.kubernetes.io/node-name", List.of(node.textOrEmpty("name")));
      if (!node.textOrEmpty("uid").isEmpty()) {
        extra.put("authentication.kubernetes.io/node-uid", List.of(node.textOrEmpty("uid")));
      }
    }
    return Authenticator.authenticated(
        "system:serviceaccount:%s:%s".formatted(namespace, name),
        uid,
        List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace),
        extra);
  }

  private boolean isAlive(Resource resource, String namespace, String name, String uid) {
    var object = objects.find(resource, namespace, name);
    return object != null && object.textOrEmpty("metadata", "uid").equals(uid);
  }

  /// The public key as a JSON Web Key Set.
  public Tree keySet() {
    var key = keys();
    return Tree.ofMap(
        Map.of(
            "keys",
            List.of(
                new RSAKey.Builder(key.open())
                    .keyID(key.id())
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.RS256)
                    .build()
                    .toJSONObject())));
  }

  private synchronized Keys keys() {
    if (keys == null) {
      keys = Keys.of(authority.tokenKey());
    }
    return keys;
  }

  /// What a token is bound to: `claim` is `pod`, `secret` or `node`.
  public record Bound(String claim, String name, String uid, @Nullable Bound node) {}

  private record Keys(RSAPrivateCrtKey secret, RSAPublicKey open, String id) {

    static Keys of(RSAPrivateCrtKey secret) {
      try {
        var open =
            (RSAPublicKey)
                KeyFactory.getInstance("RSA")
                    .generatePublic(
                        new RSAPublicKeySpec(secret.getModulus(), secret.getPublicExponent()));
        var digest = MessageDigest.getInstance("SHA-256").digest(open.getEncoded());
        return new Keys(
            secret, open, Base64.getUrlEncoder().withoutPadding().encodeToString(digest));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("cannot derive the public token key", e);
      }
    }
  }
}
