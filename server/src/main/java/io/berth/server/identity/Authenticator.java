package io.berth.server.identity;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.codec.CertificateSubject;
import io.berth.server.http.Call;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Says who makes a request: by client certificate, then by bearer token, else it is anonymous.
///
/// A credential that is there but wrong is refused with 401; it never becomes anonymous.
public final class Authenticator {

  public static final String AUTHENTICATED = "system:authenticated";
  public static final User ANONYMOUS = User.of("system:anonymous", "system:unauthenticated");

  static final String CREDENTIAL = "authentication.kubernetes.io/credential-id";

  private static final String BEARER = "bearer ";

  /// More certificates than this start over.
  private static final int MOST_KNOWN = 10_000;

  private final List<X509Certificate> authorities;
  private final Tokens tokens;

  /// Whose certificate it is, of those that were found to be ours.
  private final Map<X509Certificate, User> known = new ConcurrentHashMap<>();

  /// `authorities` are those whose certificates count.
  public Authenticator(List<X509Certificate> authorities, Tokens tokens) {
    this.authorities = List.copyOf(authorities);
    this.tokens = tokens;
  }

  public User authenticate(Call call) {
    return authenticate(call.certificates(), call.header("authorization"));
  }

  /// Who shows these; `authorization` is the header of that name, or `""`.
  public User authenticate(List<X509Certificate> certificates, String authorization) {
    if (!certificates.isEmpty()) {
      return ofCertificate(certificates.getFirst());
    }
    if (authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
      var token = authorization.substring(BEARER.length()).strip();
      if (!token.isEmpty()) {
        return tokens.authenticate(token);
      }
    }
    return ANONYMOUS;
  }

  /// Whether this is somebody, and not anybody.
  public static boolean isKnown(User user) {
    return user.groups().contains(AUTHENTICATED);
  }

  private User ofCertificate(X509Certificate certificate) {
    try {
      certificate.checkValidity();
      var user = known.get(certificate);
      return user == null ? learn(certificate) : user;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw unauthorized();
    }
  }

  private User learn(X509Certificate certificate) throws GeneralSecurityException {
    verify(certificate);
    var usage = certificate.getExtendedKeyUsage();
    if (usage == null || !usage.contains("1.3.6.1.5.5.7.3.2")) {
      throw unauthorized();
    }
    var user = user(certificate);
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    known.put(certificate, user);
    return user;
  }

  /// Throws unless one of the authorities has signed it.
  private void verify(X509Certificate certificate) throws GeneralSecurityException {
    for (int i = 0; i < authorities.size() - 1; i++) {
      try {
        certificate.verify(authorities.get(i).getPublicKey());
        return;
      } catch (GeneralSecurityException e) {
        // The next one may have.
      }
    }
    certificate.verify(authorities.getLast().getPublicKey());
  }

  private static User user(X509Certificate certificate) throws GeneralSecurityException {
    var subject = CertificateSubject.of(certificate);
    var name = subject.commonName();
    if (name.isEmpty()) {
      throw unauthorized();
    }
    return authenticated(
        name, "", subject.organizations(), Map.of(CREDENTIAL, List.of(id(certificate))));
  }

  /// Which certificate it was, for logs.
  private static String id(X509Certificate certificate) throws GeneralSecurityException {
    var digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
    return "X509SHA256=" + HexFormat.of().formatHex(digest);
  }

  /// A user with a valid credential, which makes it a member of `system:authenticated`.
  static User authenticated(
      String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    var all = new ArrayList<>(groups);
    if (!all.contains(AUTHENTICATED)) {
      all.add(AUTHENTICATED);
    }
    return new User(name, uid, all, extra);
  }

  static ApiException unauthorized() {
    return new ApiException(401, "Unauthorized", "Unauthorized");
  }
}
