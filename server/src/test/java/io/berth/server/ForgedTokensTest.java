package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.identity.Authority;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/// One token of a service account is good; every forgery of it is answered with 401.
class ForgedTokensTest {

  private static final String PATH = "/api/v1/namespaces/default";
  private static final int SOUND = 403;

  private final Authority authority = TestServer.authority();

  private record Forgery(String name, String token) {}

  @Test
  void onlyTheRealTokenIsAnybody() throws Exception {
    try (var server = new TestServer()) {
      server.post("admin", PATH + "/serviceaccounts", "{'metadata':{'name':'robot'}}");
      server.post("admin", PATH + "/serviceaccounts", "{'metadata':{'name':'other'}}");
      var token =
          TestServer.json(server.post("admin", PATH + "/serviceaccounts/robot/token", "{}"))
              .textOrEmpty("status", "token");
      assertThat(code(server, token)).as("the real one, without rights").isEqualTo(SOUND);
      assertThat(code(server, signed(header(token), claims(token), authority.tokenKey())))
          .as("what this test signs itself")
          .isEqualTo(SOUND);

      var forgeries = forgeries(token);
      assertThat(forgeries).hasSizeGreaterThan(25);
      for (var forgery : forgeries) {
        assertThat(code(server, forgery.token)).as(forgery.name).isEqualTo(401);
      }
    }
  }

  private static int code(TestServer server, String token) {
    return server.get(token, PATH + "/pods").code();
  }

  private List<Forgery> forgeries(String token) throws Exception {
    var forgeries = new ArrayList<Forgery>();
    var parts = token.split("\\.", -1);
    addBroken(token, parts, forgeries);
    addOtherKeys(token, parts, forgeries);
    addOtherClaims(token, forgeries);
    return forgeries;
  }

  private static void addBroken(String token, String[] parts, List<Forgery> forgeries) {
    var content = parts[0] + "." + parts[1];
    forgeries.add(new Forgery("no signature", content + "."));
    forgeries.add(new Forgery("two parts", content));
    forgeries.add(new Forgery("four parts", token + ".x"));
    forgeries.add(new Forgery("no header", "." + parts[1] + "." + parts[2]));
    forgeries.add(new Forgery("no claims", parts[0] + ".." + parts[2]));
    forgeries.add(new Forgery("half a token", token.substring(0, token.length() / 2)));
    forgeries.add(new Forgery("no base64", "%%%." + parts[1] + "." + parts[2]));
    forgeries.add(new Forgery("no JSON", encoded("x") + "." + encoded("y") + "." + parts[2]));
    forgeries.add(new Forgery("another first byte", content + "." + flipped(parts[2])));
    forgeries.add(new Forgery("a long token", "a".repeat(60_000)));
    for (var algorithm : List.of("none", "None", "NONE", "nOnE", "")) {
      var header = encoded("{\"alg\":\"%s\",\"typ\":\"JWT\"}".formatted(algorithm));
      forgeries.add(new Forgery("alg '" + algorithm + "'", header + "." + parts[1] + "."));
      forgeries.add(
          new Forgery("alg '" + algorithm + "', signed", header + "." + parts[1] + "." + parts[2]));
    }
  }

  private void addOtherKeys(String token, String[] parts, List<Forgery> forgeries)
      throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    var stranger = generator.generateKeyPair().getPrivate();
    forgeries.add(new Forgery("another key", signed(header(token), claims(token), stranger)));
    forgeries.add(
        new Forgery(
            "the key of the authority's certificate",
            hmac(parts[1], authority.certificate().getPublicKey().getEncoded())));
    for (var algorithm : List.of("HS256", "PS256", "RS512", "ES256", "EdDSA")) {
      var header = header(token).put("alg", algorithm);
      forgeries.add(new Forgery(algorithm, signed(header, claims(token), authority.tokenKey())));
    }
    var jwk = header(token).put("jwk", Tree.of("kty", "RSA", "n", "AQAB", "e", "AQAB"));
    forgeries.add(new Forgery("a key brought along", signed(jwk, claims(token), stranger)));
    var critical = header(token).put("crit", List.of("exp"));
    forgeries.add(
        new Forgery("an unknown duty", signed(critical, claims(token), authority.tokenKey())));
  }

  private void addOtherClaims(String token, List<Forgery> forgeries)
      throws GeneralSecurityException {
    long now = Instant.now().getEpochSecond();
    var parts = token.split("\\.", -1);
    var other = encoded(Json.text(claims(token)).replace("robot", "other"));
    forgeries.add(new Forgery("another account", parts[0] + "." + other + "." + parts[2]));
    // Signed with the real key, and still not for this server, this time or this account.
    add("expired", claims -> claims.put("exp", now - 60), token, forgeries);
    add("without an end", claims -> without(claims, "exp"), token, forgeries);
    add("not yet", claims -> claims.put("nbf", now + 3600), token, forgeries);
    add("another issuer", claims -> claims.put("iss", "https://example.com"), token, forgeries);
    add("without an issuer", claims -> without(claims, "iss"), token, forgeries);
    add("another audience", claims -> claims.put("aud", List.of("vault")), token, forgeries);
    add("without audience", claims -> without(claims, "aud"), token, forgeries);
    add("without an account", claims -> without(claims, "kubernetes.io"), token, forgeries);
    add("an account that is gone", ForgedTokensTest::ofAnotherUid, token, forgeries);
  }

  private void add(String name, UnaryOperator<Tree> change, String token, List<Forgery> forgeries)
      throws GeneralSecurityException {
    var claims = change.apply(claims(token));
    forgeries.add(new Forgery(name, signed(header(token), claims, authority.tokenKey())));
  }

  private static Tree without(Tree claims, String name) {
    claims.remove(name);
    return claims;
  }

  private static Tree ofAnotherUid(Tree claims) {
    claims.child("kubernetes.io").child("serviceaccount").put("uid", "another");
    return claims;
  }

  private static Tree header(String token) {
    return part(token, 0);
  }

  private static Tree claims(String token) {
    return part(token, 1);
  }

  private static Tree part(String token, int which) {
    var bytes = Base64.getUrlDecoder().decode(token.split("\\.", -1)[which]);
    return Json.read(new String(bytes, StandardCharsets.UTF_8)).copy();
  }

  private static String signed(Tree header, Tree claims, PrivateKey key)
      throws GeneralSecurityException {
    var content = encoded(Json.text(header)) + "." + encoded(Json.text(claims));
    var signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(key);
    signature.update(content.getBytes(StandardCharsets.US_ASCII));
    return content + "." + encoded(signature.sign());
  }

  /// A public key, taken for the secret of an HMAC.
  private static String hmac(String claims, byte[] key) throws GeneralSecurityException {
    var content = encoded("{\"alg\":\"HS256\"}") + "." + claims;
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return content + "." + encoded(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String flipped(String text) {
    return (text.charAt(0) == 'A' ? 'B' : 'A') + text.substring(1);
  }

  private static String encoded(String text) {
    return encoded(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
