package io.berth.codec;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;

/// A PKCS #10 certificate request: whom it is for, and the key, which is proven to be theirs.
public record SigningRequest(byte[] subject, PublicKey key) {

  /// Throws [IllegalArgumentException] for anything that is no request, or not signed by its key.
  public static SigningRequest parse(String pem) {
    try {
      return read(Der.ofRequest(pem).enter());
    } catch (IndexOutOfBoundsException | GeneralSecurityException e) {
      throw new IllegalArgumentException("unable to parse csr: " + e.getMessage(), e);
    }
  }

  /// The same for the bytes themselves.
  public static SigningRequest parse(byte[] der) {
    try {
      return read(new Der(der).enter());
    } catch (IndexOutOfBoundsException | GeneralSecurityException e) {
      throw new IllegalArgumentException("unable to parse csr: " + e.getMessage(), e);
    }
  }

  /// The key of a request, whether or not it signed it; [IllegalArgumentException] if it is none.
  public static PublicKey keyOf(byte[] der) {
    try {
      var info = new Der(der).enter().enter();
      info.whole(); // the version
      info.whole(); // the subject
      return key(info.whole());
    } catch (IndexOutOfBoundsException | GeneralSecurityException e) {
      throw new IllegalArgumentException("unable to parse csr: " + e.getMessage(), e);
    }
  }

  /// A public key as X.509 writes it.
  public static PublicKey key(byte[] encoded) throws GeneralSecurityException {
    var algorithm = new Der(encoded).enter().enter().oid();
    return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(encoded));
  }

  private static SigningRequest read(Der request) throws GeneralSecurityException {
    var signed = request.whole();
    var algorithm = request.enter().oid();
    var bits = request.content();
    var info = new Der(signed).enter();
    info.whole(); // the version
    var subject = info.whole();
    var key = key(info.whole());
    var signature = Signature.getInstance(algorithm);
    signature.initVerify(key);
    signature.update(signed);
    // The first byte of a bit string says how many bits of the last one are unused: none.
    if (!signature.verify(Arrays.copyOfRange(bits, 1, bits.length))) {
      throw new IllegalArgumentException("the request is not signed by its own key");
    }
    return new SigningRequest(subject, key);
  }
}
