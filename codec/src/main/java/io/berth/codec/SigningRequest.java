package io.berth.codec;

import static io.berth.codec.Der.SEQUENCE;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/// A PKCS #10 certificate request: whom it is for, and the key.
///
/// Whether the key is theirs is known when the request is [#verified].
public record SigningRequest(CertificateSubject subject, PublicKey key, Proof proof) {

  private static final String BLOCK = "-----BEGIN ";
  private static final String BEGIN = "-----BEGIN CERTIFICATE REQUEST-----";
  private static final String END = "-----END CERTIFICATE REQUEST-----";

  /// Who holds the key has signed this.
  record Proof(byte[] signed, String algorithm, byte[] signature) {}

  /// Reads a request as objects carry it: base64 of a PEM text. Throws [IllegalArgumentException]
  /// for anything that is no request.
  public static SigningRequest ofField(String base64) {
    var pem = Base64.getDecoder().decode(base64);
    return parse(new String(pem, StandardCharsets.ISO_8859_1));
  }

  /// The same for a PEM text, whose first block must be the request.
  public static SigningRequest parse(String pem) {
    int begin = pem.indexOf(BLOCK);
    int end = pem.indexOf(END);
    if (begin < 0 || !pem.startsWith(BEGIN, begin) || end < begin) {
      throw new IllegalArgumentException("PEM block type must be CERTIFICATE REQUEST");
    }
    var lines = pem.substring(begin + BEGIN.length(), end).lines().map(String::strip);
    return parse(Base64.getDecoder().decode(String.join("", lines.toList())));
  }

  /// The same for the bytes themselves.
  public static SigningRequest parse(byte[] der) {
    try {
      return read(new Der(der));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw new IllegalArgumentException("unable to parse csr: " + e.getMessage(), e);
    }
  }

  private static SigningRequest read(Der der) throws GeneralSecurityException {
    var request = der.enter(SEQUENCE);
    der.finish();
    var signed = request.whole(SEQUENCE);
    var algorithm = request.enter(SEQUENCE).oid();
    var bits = request.content(Der.BIT_STRING);
    request.finish();
    // The first byte says how many bits of the last one are unused: none.
    if (bits.length == 0 || bits[0] != 0) {
      throw new IllegalArgumentException("the signature is not whole bytes");
    }
    var proof = new Proof(signed, algorithm, Arrays.copyOfRange(bits, 1, bits.length));
    var info = new Der(signed).enter(SEQUENCE);
    info.enter(Der.INTEGER); // the version
    var subject = CertificateSubject.read(info.enter(SEQUENCE));
    var key = key(info.whole(SEQUENCE));
    if (info.hasNext()) {
      info.enter(Der.CONTEXT_0); // attributes, which are not used
    }
    info.finish();
    return new SigningRequest(subject, key, proof);
  }

  /// A public key as X.509 writes it; [IllegalArgumentException] if it is none.
  public static PublicKey key(byte[] encoded) throws GeneralSecurityException {
    var algorithm = new Der(encoded).enter(SEQUENCE).enter(SEQUENCE).oid();
    return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(encoded));
  }

  /// This, if it is signed by its own key; throws [IllegalArgumentException] otherwise.
  public SigningRequest verified() {
    if (!isQuick(key)) {
      throw new IllegalArgumentException("x509: cannot verify signature: algorithm unimplemented");
    }
    try {
      var signature = Signature.getInstance(proof.algorithm);
      signature.initVerify(key);
      signature.update(proof.signed);
      if (signature.verify(proof.signature)) {
        return this;
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("unable to parse csr: " + e.getMessage(), e);
    }
    throw new IllegalArgumentException("the request is not signed by its own key");
  }

  /// Whether numbers of the asker's choice cannot make the check long: others have no bound.
  private static boolean isQuick(PublicKey key) {
    return key instanceof RSAPublicKey
        || key instanceof ECPublicKey
        || key instanceof EdECPublicKey;
  }
}
