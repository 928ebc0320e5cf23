package io.berth.cluster.kubernetes;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// Certificates and private keys as PEM text, in the three forms that kubeconfigs hold.
public final class Pem {

  // DER of the algorithm identifiers that PKCS #8 puts before an RSA key and before a P-256 key.
  private static final byte[] RSA = {
    0x30, 0x0d, 0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0
  };
  private static final byte[] EC_PUBLIC_KEY = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
  };
  private static final byte[] VERSION = {0x02, 0x01, 0x00};
  private static final int SEQUENCE = 0x30;
  private static final int INTEGER = 0x02;
  private static final int OCTET_STRING = 0x04;
  private static final int CURVE = 0xa0;

  private Pem() {}

  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AccessException("unable to read %s: %s".formatted(file, e.getMessage()));
    }
  }

  public static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
    var factory = CertificateFactory.getInstance("X.509");
    var certificates = new ArrayList<X509Certificate>();
    for (var certificate :
        factory.generateCertificates(
            new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))) {
      certificates.add((X509Certificate) certificate);
    }
    if (certificates.isEmpty()) {
      throw new GeneralSecurityException("no certificate in the PEM text");
    }
    return certificates;
  }

  public static PrivateKey key(String pem) throws GeneralSecurityException {
    if (pem.contains("BEGIN RSA PRIVATE KEY")) {
      return key("RSA", wrapped(RSA, block(pem, "RSA PRIVATE KEY")));
    }
    if (pem.contains("BEGIN EC PRIVATE KEY")) {
      var key = block(pem, "EC PRIVATE KEY");
      return key("EC", wrapped(der(SEQUENCE, EC_PUBLIC_KEY, curve(key)), key));
    }
    var encoded = block(pem, "PRIVATE KEY");
    for (var algorithm : List.of("EC", "RSA", "EdDSA")) {
      try {
        return key(algorithm, encoded);
      } catch (GeneralSecurityException e) {
        // Another algorithm's key; the last one decides.
      }
    }
    throw new GeneralSecurityException("the private key is neither EC, RSA nor Ed25519");
  }

  private static PrivateKey key(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  private static byte[] block(String pem, String label) throws GeneralSecurityException {
    var begin = "-----BEGIN " + label + "-----";
    int from = pem.indexOf(begin);
    int to = pem.indexOf("-----END " + label + "-----");
    if (from < 0 || to < from) {
      throw new GeneralSecurityException("no %s in the PEM text".formatted(label));
    }
    return Base64.getMimeDecoder().decode(pem.substring(from + begin.length(), to));
  }

  private static byte[] wrapped(byte[] algorithm, byte[] key) {
    return der(SEQUENCE, VERSION, algorithm, der(OCTET_STRING, key));
  }

  /// The name of the curve, which an EC key carries in a part tagged `[0]`, behind its version and
  /// its secret number.
  private static byte[] curve(byte[] key) throws GeneralSecurityException {
    try {
      var parts = ByteBuffer.wrap(key);
      enter(parts, SEQUENCE);
      skip(parts, INTEGER);
      skip(parts, OCTET_STRING);
      var oid = new byte[enter(parts, CURVE)];
      parts.get(oid);
      return oid;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new GeneralSecurityException("the EC private key is damaged or names no curve", e);
    }
  }

  private static void skip(ByteBuffer parts, int tag) {
    int length = enter(parts, tag);
    parts.position(parts.position() + length);
  }

  /// Steps over a tag and its length; the length.
  private static int enter(ByteBuffer parts, int tag) {
    if ((parts.get() & 0xff) != tag) {
      throw new IllegalArgumentException("no part with tag " + tag);
    }
    int length = parts.get() & 0xff;
    if (length == 0x81) {
      length = parts.get() & 0xff;
    }
    if (length > parts.remaining()) {
      throw new BufferUnderflowException();
    }
    return length;
  }

  private static byte[] der(int tag, byte[]... parts) {
    int length = 0;
    for (var part : parts) {
      length += part.length;
    }
    var bytes = ByteBuffer.allocate(length + 4);
    bytes.put((byte) tag);
    if (length < 0x80) {
      bytes.put((byte) length);
    } else if (length < 0x100) {
      bytes.put((byte) 0x81).put((byte) length);
    } else {
      bytes.put((byte) 0x82).putShort((short) length);
    }
    for (var part : parts) {
      bytes.put(part);
    }
    return java.util.Arrays.copyOf(bytes.array(), bytes.position());
  }
}
