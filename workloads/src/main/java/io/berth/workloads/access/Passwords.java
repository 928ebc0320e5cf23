package io.berth.workloads.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/// Makes secrets, and keeps of them only what recognizes them.
final class Passwords {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String ALPHABET =
      "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
  private static final int SECRET_LENGTH = 40;

  private Passwords() {}

  /// 40 characters of 57: beyond guessing, and safe in shells, forms and headers.
  static String newSecret() {
    var secret = new StringBuilder();
    for (int i = 0; i < SECRET_LENGTH; i++) {
      secret.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
    }
    return secret.toString();
  }

  static String hash(String secret) {
    var salt = new byte[16];
    RANDOM.nextBytes(salt);
    return encoded(salt) + ":" + encoded(derived(secret, salt));
  }

  /// Takes the same time whether or not the secret is right.
  static boolean matches(String secret, String hash) {
    int colon = hash.indexOf(':');
    if (colon < 0) {
      return false;
    }
    var salt = Base64.getDecoder().decode(hash.substring(0, colon));
    var expected = Base64.getDecoder().decode(hash.substring(colon + 1));
    return MessageDigest.isEqual(expected, derived(secret, salt));
  }

  // Slow hashes protect passwords that people choose; these are random and 230 bits long.
  private static byte[] derived(String secret, byte[] salt) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(salt);
      return digest.digest(bytes(secret));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no SHA-256 in this Java", e);
    }
  }

  private static String encoded(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
