package io.berth.server.identity;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/// A PKCS #10 certificate request: whom it is for, and the key, which is proven to be theirs.
record SigningRequest(byte[] subject, PublicKey key) {

  private static final String BEGIN = "-----BEGIN CERTIFICATE REQUEST-----";
  private static final String END = "-----END CERTIFICATE REQUEST-----";

  /// Throws [IllegalArgumentException] for anything that is no request, or not signed by its key.
  static SigningRequest parse(String pem) {
    int begin = pem.indexOf(BEGIN);
    int end = pem.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("PEM block type must be CERTIFICATE REQUEST");
    }
    try {
      var der = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
      return read(new Reader(der, 0, der.length).enter());
    } catch (IndexOutOfBoundsException | GeneralSecurityException e) {
      throw new IllegalArgumentException("unable to parse csr: " + e.getMessage(), e);
    }
  }

  private static SigningRequest read(Reader request) throws GeneralSecurityException {
    var signed = request.whole();
    var algorithm = request.enter().oid();
    var bits = request.content();
    var info = new Reader(signed, 0, signed.length).enter();
    info.whole(); // the version
    var subject = info.whole();
    var encodedKey = info.whole();
    var keyAlgorithm = new Reader(encodedKey, 0, encodedKey.length).enter().enter().oid();
    var key =
        KeyFactory.getInstance(keyAlgorithm).generatePublic(new X509EncodedKeySpec(encodedKey));
    var signature = Signature.getInstance(algorithm);
    signature.initVerify(key);
    signature.update(signed);
    // The first byte of a bit string says how many bits of the last one are unused: none.
    if (!signature.verify(Arrays.copyOfRange(bits, 1, bits.length))) {
      throw new IllegalArgumentException("the request is not signed by its own key");
    }
    return new SigningRequest(subject, key);
  }

  /// Reads DER elements one after the other.
  private static final class Reader {

    private final byte[] der;
    private final int end;
    private int at;

    Reader(byte[] der, int from, int end) {
      this.der = der;
      this.at = from;
      this.end = end;
    }

    /// What is inside the next element.
    Reader enter() {
      int length = header();
      var inner = new Reader(der, at, at + length);
      at += length;
      return inner;
    }

    /// The next element with its tag and length.
    byte[] whole() {
      int from = at;
      int length = header();
      at += length;
      return Arrays.copyOfRange(der, from, at);
    }

    byte[] content() {
      int length = header();
      at += length;
      return Arrays.copyOfRange(der, at - length, at);
    }

    /// The next element, an object identifier, in dots.
    String oid() {
      var bytes = content();
      var text = new StringBuilder();
      long value = 0;
      for (byte each : bytes) {
        value = (value << 7) | (each & 0x7F);
        if (each >= 0) {
          if (text.isEmpty()) {
            long first = Math.min(value / 40, 2);
            text.append(first).append('.').append(value - 40 * first);
          } else {
            text.append('.').append(value);
          }
          value = 0;
        }
      }
      return text.toString();
    }

    private int header() {
      at++;
      int length = der[at++] & 0xFF;
      if (length >= 0x80) {
        int bytes = length & 0x7F;
        length = 0;
        for (int i = 0; i < bytes && i < 4; i++) {
          length = (length << 8) | (der[at++] & 0xFF);
        }
      }
      if (length < 0 || length > end - at) {
        throw new IllegalArgumentException("unable to parse csr: length runs past the end");
      }
      return length;
    }
  }
}
