package io.berth.console.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/// Names that nobody can guess.
final class Secrets {

  private static final SecureRandom RANDOM = new SecureRandom();

  private Secrets() {}

  static String next(int bytes) {
    var secret = new byte[bytes];
    RANDOM.nextBytes(secret);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  /// What a secret is looked up by, so that the time this takes tells nothing about it.
  static String digest(String secret) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
