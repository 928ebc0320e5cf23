package io.berth.kinds.certificates;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.codec.SigningRequest;
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
final class PodCertificateKeys {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath REQUEST = SPEC.child("stubPKCS10Request");
  private static final FieldPath KEY = SPEC.child("pkixPublicKey");
  private static final FieldPath PROOF = SPEC.child("proofOfPossession");
  private static final int MAX_BYTES = 10 * 1024;
  private static final Set<Integer> RSA_BITS = Set.of(3072, 4096);
  private static final Set<Integer> CURVE_BITS = Set.of(256, 384, 521);
  private static final String UNKNOWN =
      "unknown public key type; supported types are Ed25519, ECDSA, and RSA";

  private PodCertificateKeys() {}

  static void validate(Tree spec, FieldErrors errors) {
    var request = bytes(spec, "stubPKCS10Request");
    var key = bytes(spec, "pkixPublicKey");
    var proof = bytes(spec, "proofOfPossession");
    if (request.length > 0 && key.length == 0 && proof.length == 0) {
      validateRequest(request, errors);
    } else if (request.length == 0 && key.length > 0 && proof.length > 0) {
      validateKey(key, proof, spec.textOrEmpty("podUID"), errors);
    } else {
      errors.add(
          FieldError.invalidWithoutValue(
              SPEC,
              "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be"
                  + " set"));
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

  private static void validateRequest(byte[] request, FieldErrors errors) {
    if (request.length > MAX_BYTES) {
      errors.tooLong(REQUEST, MAX_BYTES);
      return;
    }
    SigningRequest parsed;
    try {
      parsed = SigningRequest.parse(request);
    } catch (IllegalArgumentException e) {
      errors.add(FieldError.invalidWithoutValue(REQUEST, "must be a valid PKCS#10 CSR"));
      return;
    }
    if (isStrong(parsed.key(), REQUEST, null, "P256, P384, or P521", errors)) {
      try {
        var _ = parsed.verified();
      } catch (IllegalArgumentException e) {
        errors.add(FieldError.invalidWithoutValue(REQUEST, "invalid signature"));
      }
    }
  }

  private static void validateKey(byte[] encoded, byte[] proof, String uid, FieldErrors errors) {
    if (encoded.length > MAX_BYTES || proof.length > MAX_BYTES) {
      errors.tooLong(encoded.length > MAX_BYTES ? KEY : PROOF, MAX_BYTES);
      return;
    }
    var text = Base64.getEncoder().encodeToString(encoded);
    PublicKey key;
    try {
      key = SigningRequest.key(encoded);
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      errors.invalid(KEY, text, "must be a valid PKIX-serialized public key");
      return;
    }
    if (isStrong(key, KEY, text, "P256 or P384", errors) && !proves(key, proof, uid)) {
      errors.add(
          FieldError.invalidWithoutValue(PROOF, "could not verify proof-of-possession signature"));
    }
  }

  private static boolean isStrong(
      PublicKey key, FieldPath path, @Nullable String shown, String curves, FieldErrors errors) {
    var weakness = weakness(key, curves);
    if (weakness != null) {
      errors.invalid(path, weakness.what(), weakness.why());
    } else if (!isKnown(key)) {
      errors.add(
          shown == null
              ? FieldError.invalidWithoutValue(path, UNKNOWN)
              : FieldError.invalid(path, shown, UNKNOWN));
    }
    return weakness == null && isKnown(key);
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
