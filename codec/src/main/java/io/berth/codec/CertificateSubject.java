package io.berth.codec;

import static io.berth.codec.Der.SEQUENCE;
import static io.berth.codec.Der.SET;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// Whom a certificate, or the request for one, is for: the one reading of a subject.
///
/// Admission, the signer and authentication all ask here, and certificates are written from what
/// was read: bytes that two readers could take differently never get into one. As Go reads the same
/// bytes, or refused; that is also what becomes of text that Go leaves out of a request's subject.
///
/// Mirrors: crypto/x509.parseName
public record CertificateSubject(List<Attribute> attributes) {

  private static final String COMMON_NAME = "2.5.4.3";
  private static final String ORGANIZATION = "2.5.4.10";

  /// One part of a name; `type` is an object identifier in dots.
  public record Attribute(String type, String value) {}

  public CertificateSubject {
    attributes = List.copyOf(attributes);
  }

  /// The subject of a certificate, from the bytes that were signed.
  public static CertificateSubject of(X509Certificate certificate)
      throws CertificateEncodingException {
    var facts = new Der(certificate.getTBSCertificate()).enter(SEQUENCE);
    if (facts.tag() == Der.CONTEXT_0) {
      facts.enter(Der.CONTEXT_0); // the version
    }
    facts.enter(Der.INTEGER); // the serial number
    facts.enter(SEQUENCE); // the algorithm
    facts.enter(SEQUENCE); // the issuer
    facts.enter(SEQUENCE); // from when to when
    return read(facts.enter(SEQUENCE));
  }

  /// Reads what is inside a name.
  static CertificateSubject read(Der names) {
    var attributes = new ArrayList<Attribute>();
    while (names.hasNext()) {
      var set = names.enter(SET);
      while (set.hasNext()) {
        var pair = set.enter(SEQUENCE);
        var type = pair.oid();
        int tag = pair.tag();
        attributes.add(new Attribute(type, DerText.decode(tag, pair.content(tag))));
        pair.finish();
      }
    }
    return new CertificateSubject(attributes);
  }

  /// The user, or `""`. As in Kubernetes, the last one counts.
  public String commonName() {
    var names = values(COMMON_NAME);
    return names.isEmpty() ? "" : names.getLast();
  }

  /// The groups.
  public List<String> organizations() {
    return values(ORGANIZATION);
  }

  private List<String> values(String type) {
    return attributes.stream()
        .filter(each -> each.type().equals(type))
        .map(Attribute::value)
        .toList();
  }
}
