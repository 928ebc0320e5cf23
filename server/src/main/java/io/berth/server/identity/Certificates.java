package io.berth.server.identity;

import io.berth.codec.CertificateSubject.Attribute;
import io.berth.codec.SigningRequest;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes keys and X.509 certificates, and reads and writes them as PEM.
final class Certificates {

  private static final byte[] SIGNED_WITH = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
  private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
  private static final String P256 = "1.2.840.10045.3.1.7";

  /// Common name, serial number, country, locality, province, street, organization, unit, post
  /// code.
  private static final Set<String> NAME_TYPES =
      Set.of(
          "2.5.4.3",
          "2.5.4.5",
          "2.5.4.6",
          "2.5.4.7",
          "2.5.4.8",
          "2.5.4.9",
          "2.5.4.10",
          "2.5.4.11",
          "2.5.4.17");

  private static final int SECRET_BYTES = 32;
  private static final int POINT_BYTES = 65;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Certificates() {}

  /// When a certificate is valid.
  private record Period(Instant from, Instant until) {

    // A clock that was ahead when the certificate was made, and is set right, must not shut
    // everybody out.
    private static final Duration OWN_BACKDATED = Duration.ofDays(1);

    // As Kubernetes' signers do.
    private static final Duration BACKDATED = Duration.ofMinutes(5);

    static Period ofOwn(Instant now, Duration validity) {
      return new Period(now.minus(OWN_BACKDATED), now.plus(validity));
    }

    static Period ofRequested(Instant now, Duration validity) {
      return new Period(now.minus(BACKDATED), now.plus(validity));
    }
  }

  static KeyPair newKey() throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
    return generator.generateKeyPair();
  }

  static X509Certificate selfSigned(KeyPair key, String name, Instant now, Duration validity)
      throws GeneralSecurityException {
    var extensions =
        Der.sequence(
            extension("2.5.29.19", true, Der.sequence(Der.truth())),
            extension("2.5.29.15", true, Der.flags(0b1010_0110, 7)),
            extension("2.5.29.14", false, Der.octets(keyId(key.getPublic()))));
    var subject = name(name, List.of());
    var period = Period.ofOwn(now, validity);
    return sign(subject, subject, key.getPublic(), key.getPrivate(), period, extensions);
  }

  static X509Certificate forServer(
      Issuer issuer, PublicKey key, String name, List<String> hosts, Instant now, Duration validity)
      throws GeneralSecurityException {
    var names = new ArrayList<byte[]>();
    for (var host : hosts) {
      names.add(generalName(host));
    }
    var extensions =
        leafExtensions(
            issuer,
            SERVER_AUTH,
            extension("2.5.29.17", false, Der.sequence(names.toArray(byte[][]::new))));
    var period = Period.ofOwn(now, validity);
    return sign(issuer.name(), name(name, List.of()), key, issuer.key(), period, extensions);
  }

  static X509Certificate forClient(
      Issuer issuer,
      PublicKey key,
      String user,
      List<String> groups,
      Instant now,
      Duration validity)
      throws GeneralSecurityException {
    var extensions = leafExtensions(issuer, CLIENT_AUTH, null);
    var period = Period.ofOwn(now, validity);
    return sign(issuer.name(), name(user, groups), key, issuer.key(), period, extensions);
  }

  /// What a request asks for, as a client of the cluster. Its name is written anew from what was
  /// read.
  static X509Certificate forRequest(
      Issuer issuer, SigningRequest request, Instant now, Duration validity)
      throws GeneralSecurityException {
    var extensions = leafExtensions(issuer, CLIENT_AUTH, null);
    var subject = name(request.subject().attributes());
    var period = Period.ofRequested(now, validity);
    return sign(issuer.name(), subject, request.key(), issuer.key(), period, extensions);
  }

  static String pem(String label, byte[] der) {
    var base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, base64, label);
  }

  /// A P-256 key as RFC 5915 writes it.
  static String ecKeyPem(ECPrivateKey key, PublicKey open) {
    // Within the key the point is always the last part.
    var encoded = open.getEncoded();
    var point = Arrays.copyOfRange(encoded, encoded.length - POINT_BYTES, encoded.length);
    var der =
        Der.sequence(
            Der.integer(BigInteger.ONE),
            Der.octets(fixed(key.getS())),
            Der.explicit(0, Der.oid(P256)),
            Der.explicit(1, Der.bits(point)));
    return pem("EC PRIVATE KEY", der);
  }

  private static byte[] fixed(BigInteger secret) {
    var bytes = secret.toByteArray();
    var fixed = new byte[SECRET_BYTES];
    int used = Math.min(bytes.length, SECRET_BYTES);
    System.arraycopy(bytes, bytes.length - used, fixed, SECRET_BYTES - used, used);
    return fixed;
  }

  static X509Certificate certificate(String pem) throws GeneralSecurityException {
    var bytes = pem.getBytes(StandardCharsets.US_ASCII);
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(bytes));
  }

  static PrivateKey privateKey(String pem, String algorithm) throws GeneralSecurityException {
    var base64 = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
    return KeyFactory.getInstance(algorithm)
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
  }

  private static byte[] leafExtensions(Issuer issuer, String usage, byte @Nullable [] more)
      throws GeneralSecurityException {
    return Der.sequence(
        extension("2.5.29.15", true, Der.flags(0b1010_0000, 3)),
        extension("2.5.29.37", false, Der.sequence(Der.oid(usage))),
        extension("2.5.29.19", true, Der.sequence()),
        extension(
            "2.5.29.35",
            false,
            Der.sequence(Der.implicit(0, keyId(issuer.certificate().getPublicKey())))),
        more == null ? new byte[0] : more);
  }

  private static X509Certificate sign(
      byte[] issuer,
      byte[] subject,
      PublicKey key,
      PrivateKey with,
      Period period,
      byte[] extensions)
      throws GeneralSecurityException {
    var facts =
        Der.sequence(
            Der.explicit(0, Der.integer(BigInteger.TWO)),
            Der.integer(new BigInteger(120, RANDOM)),
            SIGNED_WITH,
            issuer,
            Der.sequence(Der.time(period.from), Der.time(period.until)),
            subject,
            key.getEncoded(),
            Der.explicit(3, extensions));
    var signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(with);
    signature.update(facts);
    var der = Der.sequence(facts, SIGNED_WITH, Der.bits(signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }

  /// Groups are organizations, the user is the common name: what Kubernetes reads from a client.
  private static byte[] name(String commonName, List<String> organizations) {
    var attributes = new ArrayList<Attribute>();
    for (var organization : organizations) {
      attributes.add(new Attribute("2.5.4.10", organization));
    }
    attributes.add(new Attribute("2.5.4.3", commonName));
    return name(attributes);
  }

  /// As in Kubernetes, other attributes are left out.
  private static byte[] name(List<Attribute> attributes) {
    return Der.sequence(
        attributes.stream()
            .filter(each -> NAME_TYPES.contains(each.type()))
            .map(each -> Der.set(Der.sequence(Der.oid(each.type()), Der.text(each.value()))))
            .toArray(byte[][]::new));
  }

  private static byte[] generalName(String host) {
    if (!host.isEmpty() && (Character.isDigit(host.charAt(0)) || host.contains(":"))) {
      try {
        return Der.implicit(7, InetAddress.getByName(host).getAddress());
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException("\"%s\" is no address".formatted(host), e);
      }
    }
    return Der.implicit(2, host.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] extension(String oid, boolean critical, byte[] value) {
    return critical
        ? Der.sequence(Der.oid(oid), Der.truth(), Der.octets(value))
        : Der.sequence(Der.oid(oid), Der.octets(value));
  }

  private static byte[] keyId(PublicKey key) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-1").digest(key.getEncoded());
  }

  /// Who signs: a certificate and the key that belongs to it.
  record Issuer(X509Certificate certificate, PrivateKey key) {

    byte[] name() {
      return certificate.getSubjectX500Principal().getEncoded();
    }
  }
}
