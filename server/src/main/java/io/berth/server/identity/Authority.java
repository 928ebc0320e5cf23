package io.berth.server.identity;

import io.berth.admission.CertificateSubjectRestriction;
import io.berth.codec.SigningRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The cluster's certificate authority, and the key that signs service account tokens.
///
/// Both are made on first start and kept in the data folder, readable by the owner alone, so that
/// kubeconfigs and tokens stay valid over restarts. Without a folder they live as long as the
/// process. Certificates for the server and the administrator are cheap and made at each start.
public final class Authority {

  private static final Duration CA_VALIDITY = Duration.ofDays(3650);
  private static final Duration LEAF_VALIDITY = Duration.ofDays(365);
  private static final int TOKEN_KEY_BITS = 2048;

  private final Certificates.Issuer issuer;
  private final @Nullable Path folder;
  private @Nullable RSAPrivateCrtKey tokenKey;

  private Authority(Certificates.Issuer issuer, @Nullable Path folder) {
    this.issuer = issuer;
    this.folder = folder;
  }

  /// Opens the authority of a data folder, or makes one; `null` keeps it in memory.
  public static Authority open(@Nullable Path folder) {
    try {
      if (folder != null && Files.exists(folder.resolve("ca.crt"))) {
        var certificate = Certificates.certificate(Files.readString(folder.resolve("ca.crt")));
        var key = Certificates.privateKey(Files.readString(folder.resolve("ca.key")), "EC");
        return new Authority(new Certificates.Issuer(certificate, key), folder);
      }
      var key = Certificates.newKey();
      var certificate = Certificates.selfSigned(key, "berth-ca", Instant.now(), CA_VALIDITY);
      var authority = new Authority(new Certificates.Issuer(certificate, key.getPrivate()), folder);
      if (folder != null) {
        Files.createDirectories(folder);
        writePrivate(
            folder.resolve("ca.key"),
            Certificates.pem("PRIVATE KEY", key.getPrivate().getEncoded()));
        writePrivate(folder.resolve("ca.crt"), authority.certificatePem());
      }
      return authority;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot open the certificate authority in %s: %s".formatted(folder, e.getMessage()), e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make or read the certificate authority", e);
    }
  }

  public X509Certificate certificate() {
    return issuer.certificate();
  }

  public String certificatePem() {
    return encoded(issuer.certificate());
  }

  /// A certificate for a server that answers under these names and addresses.
  public Identity server(List<String> hosts) {
    try {
      var key = Certificates.newKey();
      var certificate =
          Certificates.forServer(
              issuer, key.getPublic(), "berth", hosts, Instant.now(), LEAF_VALIDITY);
      return identity(key, certificate);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make a server certificate", e);
    }
  }

  /// A certificate that makes its bearer `user` in `groups`.
  public Identity client(String user, List<String> groups) {
    try {
      var key = Certificates.newKey();
      var certificate =
          Certificates.forClient(
              issuer, key.getPublic(), user, groups, Instant.now(), LEAF_VALIDITY);
      return identity(key, certificate);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make a client certificate", e);
    }
  }

  /// Signs a PKCS #10 request (PEM) for a client of the cluster; `validity` is cut to a year.
  ///
  /// Whether the request is approved, and its usages fit, is for the caller to know. Throws
  /// [IllegalArgumentException] for what is no request, or asks for what nobody gets.
  public String signClient(String request, Duration validity) {
    var period = validity.compareTo(LEAF_VALIDITY) < 0 ? validity : LEAF_VALIDITY;
    try {
      return encoded(Certificates.forRequest(issuer, checked(request), Instant.now(), period));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a certificate", e);
    }
  }

  private static SigningRequest checked(String pem) {
    var request = SigningRequest.parse(pem).verified();
    CertificateSubjectRestriction.check(request.subject());
    if (request.subject().commonName().isEmpty()) {
      throw new IllegalArgumentException("a client certificate needs a common name");
    }
    return request;
  }

  /// The key for service account tokens; made when first needed, because that takes a while.
  public synchronized RSAPrivateCrtKey tokenKey() {
    if (tokenKey == null) {
      tokenKey = openTokenKey();
    }
    return tokenKey;
  }

  private RSAPrivateCrtKey openTokenKey() {
    try {
      var file = folder == null ? null : folder.resolve("sa.key");
      if (file != null && Files.exists(file)) {
        return (RSAPrivateCrtKey) Certificates.privateKey(Files.readString(file), "RSA");
      }
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(TOKEN_KEY_BITS);
      var key = (RSAPrivateCrtKey) generator.generateKeyPair().getPrivate();
      if (file != null) {
        writePrivate(file, Certificates.pem("PRIVATE KEY", key.getEncoded()));
      }
      return key;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read or write the token key", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make or read the token key", e);
    }
  }

  /// Writes a file that only its owner can read, whole or not at all.
  public static void writePrivate(Path file, String content) throws IOException {
    var draft = file.resolveSibling("." + file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    Files.createFile(
        draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(draft, content, StandardCharsets.UTF_8, StandardOpenOption.WRITE);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Identity identity(KeyPair key, X509Certificate certificate) {
    return new Identity(certificate, key.getPrivate());
  }

  private static String encoded(X509Certificate certificate) {
    try {
      return Certificates.pem("CERTIFICATE", certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate that cannot be encoded", e);
    }
  }

  /// A certificate with its key.
  public record Identity(X509Certificate certificate, PrivateKey key) {

    public String certificatePem() {
      return encoded(certificate);
    }

    /// In the form of `openssl ec`: not every client takes an EC key as PKCS #8.
    public String keyPem() {
      return Certificates.ecKeyPem((ECPrivateKey) key, certificate.getPublicKey());
    }
  }
}
