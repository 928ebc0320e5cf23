package io.berth.server.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The keys of a data folder, read and proven: each signs something that its other half verifies.
///
/// `damages` says what is wrong with a file; what is not there, and need not be, is `null`.
record KeyFolder(
    @Nullable X509Certificate certificate,
    @Nullable PrivateKey key,
    @Nullable RSAPrivateCrtKey tokenKey,
    Map<Path, String> damages) {

  private static final byte[] SAMPLE = {1, 2, 3};

  static Path certificateFile(Path folder) {
    return folder.resolve("ca.crt");
  }

  static Path keyFile(Path folder) {
    return folder.resolve("ca.key");
  }

  static Path tokenKeyFile(Path folder) {
    return folder.resolve("sa.key");
  }

  static KeyFolder read(Path folder) {
    var damages = new LinkedHashMap<Path, String>();
    var certificate = read(certificateFile(folder), "certificate", KeyFolder::certificate, damages);
    var key =
        read(keyFile(folder), "private key", text -> Certificates.privateKey(text, "EC"), damages);
    var tokenKey = read(tokenKeyFile(folder), "private key", KeyFolder::tokenKey, damages);
    for (var file : List.of(certificateFile(folder), keyFile(folder))) {
      if (isUsed(folder) && !Files.exists(file)) {
        damages.put(file, "is missing");
      }
    }
    if (certificate != null && key != null && !isPair(certificate.getPublicKey(), key)) {
      damages.put(keyFile(folder), "is not the key of ca.crt");
    }
    return new KeyFolder(certificate, key, tokenKey, damages);
  }

  // All that an authority needs appears at once, see Authority.
  private static boolean isUsed(Path folder) {
    return Files.exists(certificateFile(folder))
        || Files.exists(keyFile(folder))
        || Files.exists(tokenKeyFile(folder));
  }

  /// Throws for the first damage.
  KeyFolder whole() {
    for (var damage : damages.entrySet()) {
      throw new DamagedKeyException(damage.getKey(), damage.getValue());
    }
    return this;
  }

  private interface Reading<T> {
    T of(String text) throws GeneralSecurityException;
  }

  private static <T> @Nullable T read(
      Path file, String what, Reading<T> reading, Map<Path, String> damages) {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      return reading.of(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (GeneralSecurityException | RuntimeException e) {
      damages.put(file, "is damaged: it holds no %s that can be used".formatted(what));
    } catch (IOException e) {
      damages.put(file, "cannot be read: " + e);
    }
    return null;
  }

  private static X509Certificate certificate(String text) throws GeneralSecurityException {
    var certificate = Objects.requireNonNull(Certificates.certificate(text));
    certificate.verify(certificate.getPublicKey());
    return certificate;
  }

  private static RSAPrivateCrtKey tokenKey(String text) throws GeneralSecurityException {
    var key = (RSAPrivateCrtKey) Certificates.privateKey(text, "RSA");
    var half =
        KeyFactory.getInstance("RSA")
            .generatePublic(new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent()));
    if (!isPair(half, key)) {
      throw new GeneralSecurityException("a key whose parts do not fit");
    }
    return key;
  }

  private static boolean isPair(PublicKey half, PrivateKey key) {
    try {
      var signature = Signature.getInstance("SHA256with" + algorithm(key));
      signature.initSign(key);
      signature.update(SAMPLE);
      var signed = signature.sign();
      signature.initVerify(half);
      signature.update(SAMPLE);
      return signature.verify(signed);
    } catch (GeneralSecurityException | RuntimeException e) {
      return false;
    }
  }

  private static String algorithm(PrivateKey key) {
    return key.getAlgorithm().equals("EC") ? "ECDSA" : key.getAlgorithm();
  }
}
