package io.berth.server.identity;

import io.berth.admission.CertificateSubjectRestriction;
import io.berth.codec.SigningRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The cluster's certificate authority, and the key that signs service account tokens.
///
/// Both are made on first start and kept in the data folder, readable by the owner alone, so that
/// kubeconfigs and tokens stay valid over restarts. Without a folder they live as long as the
/// process. Certificates for the server and the administrator are cheap: made at each start, and
/// again before they end.
public final class Authority {

  private static final String NAME = "berth-ca";
  private static final String FRONT_PROXY_NAME = "berth-front-proxy-ca";
  private static final Duration CA_VALIDITY = Duration.ofDays(3650);
  private static final Duration LEAF_VALIDITY = Duration.ofDays(365);

  /// Certificates of this process are replaced at this age, long before they end.
  public static final Duration RENEWED_AFTER = Duration.ofDays(240);

  private static final int TOKEN_KEY_BITS = 2048;

  private final Certificates.Issuer issuer;
  private final @Nullable Path folder;
  private final InstantSource clock;
  private final @Nullable Identity server;
  private final List<X509Certificate> others;
  private @Nullable RSAPrivateCrtKey tokenKey;

  private Authority(
      Certificates.Issuer issuer,
      @Nullable Path folder,
      InstantSource clock,
      @Nullable RSAPrivateCrtKey tokenKey) {
    this(issuer, folder, clock, tokenKey, null, List.of());
  }

  private Authority(
      Certificates.Issuer issuer,
      @Nullable Path folder,
      InstantSource clock,
      @Nullable RSAPrivateCrtKey tokenKey,
      @Nullable Identity server,
      List<X509Certificate> others) {
    this.issuer = issuer;
    this.folder = folder;
    this.clock = clock;
    this.tokenKey = tokenKey;
    this.server = server;
    this.others = List.copyOf(others);
  }

  /// The same, whose servers show this certificate if there is one, and whose clients may also come
  /// from others.
  public Authority with(@Nullable Identity given, List<X509Certificate> authorities) {
    return new Authority(issuer, folder, clock, tokenKey, given, authorities);
  }

  /// Opens the authority of a data folder, or makes one; `null` keeps it in memory.
  ///
  /// Throws [DamagedKeyException] when a file there is not what was written.
  public static Authority open(@Nullable Path folder) {
    return open(folder, InstantSource.system());
  }

  public static Authority open(@Nullable Path folder, InstantSource clock) {
    try {
      return folder == null ? inMemory(clock) : onDisk(folder, clock);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot open the certificate authority in %s: %s".formatted(folder, e.getMessage()), e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make the certificate authority", e);
    }
  }

  /// What is wrong with the key files of a folder; empty when nothing is.
  public static Map<Path, String> damages(Path folder) {
    return KeyFolder.read(folder).damages();
  }

  /// One that lives as long as the process, for nothing but the certificate of the front proxy.
  public static Authority ofFrontProxy() {
    try {
      return inMemory(FRONT_PROXY_NAME, InstantSource.system());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make the certificate authority", e);
    }
  }

  private static Authority inMemory(InstantSource clock) throws GeneralSecurityException {
    return inMemory(NAME, clock);
  }

  private static Authority inMemory(String name, InstantSource clock)
      throws GeneralSecurityException {
    var key = Certificates.newKey();
    var certificate = Certificates.selfSigned(key, name, clock.instant(), CA_VALIDITY);
    return new Authority(new Certificates.Issuer(certificate, key.getPrivate()), null, clock, null);
  }

  private static Authority onDisk(Path folder, InstantSource clock)
      throws IOException, GeneralSecurityException {
    var stored = KeyFolder.read(folder).whole();
    var certificate = stored.certificate();
    var key = stored.key();
    return certificate == null || key == null
        ? newOnDisk(folder, clock)
        : new Authority(
            new Certificates.Issuer(certificate, key), folder, clock, stored.tokenKey());
  }

  /// The folder appears whole: one that lacks a file has lost it.
  private static Authority newOnDisk(Path folder, InstantSource clock)
      throws IOException, GeneralSecurityException {
    var made = inMemory(clock).issuer;
    var draft = folder.resolveSibling("." + folder.getFileName() + ".new");
    Files.createDirectories(draft);
    writePrivate(
        KeyFolder.keyFile(draft), Certificates.pem("PRIVATE KEY", made.key().getEncoded()));
    writePrivate(KeyFolder.certificateFile(draft), encoded(made.certificate()));
    Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
    sync(folder.toAbsolutePath().getParent());
    return new Authority(made, folder, clock, null);
  }

  public X509Certificate certificate() {
    return issuer.certificate();
  }

  public String certificatePem() {
    return encoded(issuer.certificate());
  }

  /// Everybody whose certificates clients may show: this authority, then others.
  public List<X509Certificate> clientAuthorities() {
    var all = new ArrayList<X509Certificate>();
    all.add(certificate());
    all.addAll(others);
    return all;
  }

  /// The same as PEM.
  public String clientAuthoritiesPem() {
    var all = new StringBuilder();
    clientAuthorities().forEach(each -> all.append(encoded(each)));
    return all.toString();
  }

  /// A certificate for a server that answers under these names and addresses, or the one that was
  /// given.
  public Identity server(List<String> hosts) {
    if (server != null) {
      return server;
    }
    try {
      var key = Certificates.newKey();
      var certificate =
          Certificates.forServer(
              issuer, key.getPublic(), "berth", hosts, clock.instant(), LEAF_VALIDITY);
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
              issuer, key.getPublic(), user, groups, clock.instant(), LEAF_VALIDITY);
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
      return encoded(Certificates.forRequest(issuer, checked(request), clock.instant(), period));
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
      tokenKey = newTokenKey();
    }
    return tokenKey;
  }

  private RSAPrivateCrtKey newTokenKey() {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(TOKEN_KEY_BITS);
      var key = (RSAPrivateCrtKey) generator.generateKeyPair().getPrivate();
      if (folder != null) {
        writePrivate(
            KeyFolder.tokenKeyFile(folder), Certificates.pem("PRIVATE KEY", key.getEncoded()));
      }
      return key;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the token key", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make the token key", e);
    }
  }

  /// Writes a file that only its owner can read, whole or not at all, and on disk before it is
  /// used: what was given out under a key that is lost with the power is void.
  public static void writePrivate(Path file, String content) throws IOException {
    var draft = file.resolveSibling("." + file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    Files.createFile(
        draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (var channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      var bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    sync(file.toAbsolutePath().getParent());
  }

  private static void sync(@Nullable Path folder) throws IOException {
    if (folder != null) {
      try (var opened = FileChannel.open(folder, StandardOpenOption.READ)) {
        opened.force(true);
      }
    }
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
