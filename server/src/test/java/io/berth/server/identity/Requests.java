package io.berth.server.identity;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.util.Arrays;

/// Certificate requests of any subject, well signed, as somebody with an odd tool would make them.
final class Requests {

  static final int UTF8 = 0x0c;
  static final int NUMERIC = 0x12;
  static final int PRINTABLE = 0x13;
  static final int T61 = 0x14;
  static final int IA5 = 0x16;
  static final int GENERAL = 0x1b;
  static final int UNIVERSAL = 0x1c;
  static final int BMP = 0x1e;

  private static final KeyPair KEY = newKey();

  private Requests() {}

  static String pem(byte[] subject) {
    return Certificates.pem("CERTIFICATE REQUEST", der(subject, new byte[0]));
  }

  /// `more` follows the attributes within what is signed.
  static byte[] der(byte[] subject, byte[] more) {
    try {
      var facts =
          Der.sequence(
              Der.integer(BigInteger.ZERO),
              subject,
              KEY.getPublic().getEncoded(),
              Der.explicit(0, new byte[0]),
              more);
      var signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(KEY.getPrivate());
      signature.update(facts);
      return Der.sequence(
          facts, Der.sequence(Der.oid("1.2.840.10045.4.3.2")), Der.bits(signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] name(byte[]... sets) {
    return Der.sequence(sets);
  }

  static byte[] commonName(String value) {
    return Der.set(pair("2.5.4.3", Der.text(value)));
  }

  static byte[] organization(int tag, byte[] value) {
    return Der.set(pair("2.5.4.10", tagged(tag, value)));
  }

  static byte[] pair(String oid, byte[] value) {
    return Der.sequence(Der.oid(oid), value);
  }

  static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static byte[] wide(String text) {
    return text.getBytes(StandardCharsets.UTF_16BE);
  }

  static byte[] wider(String text) {
    return text.getBytes(java.nio.charset.Charset.forName("UTF-32BE"));
  }

  /// Any tag, for content of less than 128 bytes.
  static byte[] tagged(int tag, byte... content) {
    return Der.concat(new byte[] {(byte) tag, (byte) content.length}, content);
  }

  /// The same value with its length written in two bytes where one is enough.
  static byte[] longer(byte[] value) {
    return Der.concat(
        new byte[] {value[0], (byte) 0x81, value[1]}, Arrays.copyOfRange(value, 2, value.length));
  }

  private static KeyPair newKey() {
    try {
      return Certificates.newKey();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
