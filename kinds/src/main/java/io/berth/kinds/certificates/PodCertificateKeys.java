package io.berth.kinds.certificates;

import io.berth.api.Tree;
import io.berth.codec.SigningRequest;
import io.berth.kinds.meta.Cursor;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The key a pod wants certified, and the proof that it is the pod's: a stub of a certificate
/// request or, of old, the key and a signature of the pod's UID.
///
/// Mirrors: certificates/validation.ValidatePodCertificateRequestCreate
final class PodCertificateKeys {

  private static final int MAX_BYTES = 10 * 1024;
  private static final Set<Integer> RSA_BITS = Set.of(3072, 4096);
  private static final Set<Integer> CURVE_BITS = Set.of(256, 384, 521);
  private static final String UNKNOWN =
      "unknown public key type; supported types are Ed25519, ECDSA, and RSA";

  private PodCertificateKeys() {}

  static void validate(Cursor spec) {
    var request = bytes(spec.tree(), "stubPKCS10Request");
    var key = bytes(spec.tree(), "pkixPublicKey");
    var proof = bytes(spec.tree(), "proofOfPossession");
    if (request.length > 0 && key.length == 0 && proof.length == 0) {
      validateRequest(spec.at("stubPKCS10Request"), request);
    } else if (request.length == 0 && key.length > 0 && proof.length > 0) {
      validateKey(spec, key, proof);
    } else {
      spec.refused(
          "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set");
    }
  }

  /// The key that was asked for, or `null` when it cannot be read.
  static @Nullable PublicKey requested(Tree spec) {
    var request = bytes(spec, "stubPKCS10Request");
    try {
      return request.length > 0
          ? SigningRequest.parse(request).key()
          : SigningRequest.key(bytes(spec, "pkixPublicKey"));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      return null;
    }
  }

  private static byte[] bytes(Tree spec, String field) {
    return Base64.getDecoder().decode(spec.textOrEmpty(field));
  }

  private static void validateRequest(Cursor field, byte[] request) {
    if (request.length > MAX_BYTES) {
      field.tooLong(MAX_BYTES);
      return;
    }
    SigningRequest parsed;
    try {
      parsed = SigningRequest.parse(request);
    } catch (IllegalArgumentException e) {
      field.refused("must be a valid PKCS#10 CSR");
      return;
    }
    if (!isKnown(parsed.key())) {
      field.refused(UNKNOWN);
    } else if (isStrong(parsed.key(), field, "P256, P384, or P521")) {
      try {
        var _ = parsed.verified();
      } catch (IllegalArgumentException e) {
        field.refused("invalid signature");
      }
    }
  }

  private static void validateKey(Cursor spec, byte[] encoded, byte[] proof) {
    var field = spec.at("pkixPublicKey").with(Base64.getEncoder().encodeToString(encoded));
    var proofField = spec.at("proofOfPossession");
    if (encoded.length > MAX_BYTES || proof.length > MAX_BYTES) {
      (encoded.length > MAX_BYTES ? field : proofField).tooLong(MAX_BYTES);
      return;
    }
    PublicKey key;
    try {
      key = SigningRequest.key(encoded);
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      field.invalid("must be a valid PKIX-serialized public key");
      return;
    }
    if (!isKnown(key)) {
      field.invalid(UNKNOWN);
    } else if (isStrong(key, field, "P256 or P384") && !proves(key, proof, spec.text("podUID"))) {
      proofField.refused("could not verify proof-of-possession signature");
    }
  }

  private static boolean isStrong(PublicKey key, Cursor field, String curves) {
    var weakness = weakness(key, curves);
    if (weakness != null) {
      field.invalid(weakness.what(), weakness.why());
    }
    return weakness == null;
  }

  private record Weakness(String what, String why) {}

  private static @Nullable Weakness weakness(PublicKey key, String curves) {
    if (key instanceof ECPublicKey elliptic) {
      int bits = elliptic.getParams().getCurve().getField().getFieldSize();
      return CURVE_BITS.contains(bits)
          ? null
          : new Weakness("curve P-" + bits, "elliptic public keys must use curve " + curves);
    }
    if (key instanceof RSAPublicKey rsa) {
      int bits = (rsa.getModulus().bitLength() + 7) / 8 * 8;
      return RSA_BITS.contains(bits)
          ? null
          : new Weakness(bits + "-bit modulus", "RSA keys must have modulus size 3072 or 4096");
    }
    return null;
  }

  private static boolean isKnown(PublicKey key) {
    return key instanceof ECPublicKey
        || key instanceof RSAPublicKey
        || (key instanceof EdECPublicKey edwards
            && edwards.getParams().getName().equals("Ed25519"));
  }

  private static boolean proves(PublicKey key, byte[] proof, String uid) {
    var data = uid.getBytes(StandardCharsets.UTF_8);
    if (key instanceof RSAPublicKey rsa) {
      // Go takes a salt of any length; these two are what signers write.
      return List.of(32, rsa.getModulus().bitLength() / 8 - 34).stream()
          .anyMatch(salt -> verifies("RSASSA-PSS", key, proof, data, salt));
    }
    var algorithm = key instanceof EdECPublicKey ? "Ed25519" : "SHA256withECDSA";
    return verifies(algorithm, key, proof, data, 0);
  }

  private static boolean verifies(
      String algorithm, PublicKey key, byte[] proof, byte[] data, int salt) {
    try {
      var signature = Signature.getInstance(algorithm);
      if (algorithm.equals("RSASSA-PSS")) {
        signature.setParameter(
            new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, salt, 1));
      }
      signature.initVerify(key);
      signature.update(data);
      return signature.verify(proof);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
