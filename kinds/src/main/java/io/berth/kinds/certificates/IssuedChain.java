package io.berth.kinds.certificates;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The certificates a pod was given: whether they are for its key, and for as long as it asked.
///
/// Mirrors: certificates/validation.ValidatePodCertificateRequestStatusUpdate
final class IssuedChain {

  private static final int MAX_BYTES = 100 * 1024;
  private static final Duration SKEW = Duration.ofMinutes(5);
  private static final Duration MARGIN = Duration.ofMinutes(10);
  private static final int DNS_NAME = 2;
  private static final int EMAIL = 1;

  private final Tree spec;
  private final Cursor status;
  private final Cursor chain;
  private final Instant now;

  IssuedChain(Cursor object, Instant now) {
    this.spec = object.at("spec").tree();
    this.status = object.at("status");
    this.chain = status.at("certificateChain");
    this.now = now;
  }

  void validate() {
    if (Names.bytes(chain.text()) > MAX_BYTES) {
      chain.tooLong(MAX_BYTES);
      return;
    }
    var blocks = PemBlock.all(chain.text());
    if (blocks.isEmpty()) {
      chain.invalidText("issued certificate chain must contain at least one certificate");
      return;
    }
    if (!blocks.getFirst().type().equals("CERTIFICATE")) {
      chain.invalidText("issued certificate chain must consist entirely of CERTIFICATE PEM blocks");
      return;
    }
    var leaf = certificate(blocks.getFirst());
    if (leaf == null) {
      chain.invalidText("leaf certificate does not parse as valid X.509");
      return;
    }
    validateLeaf(leaf);
    if (chain.errors().isEmpty()) {
      validateTimes(leaf);
    }
    if (chain.errors().isEmpty()) {
      validateOthers(blocks.subList(1, blocks.size()));
    }
  }

  private void validateLeaf(X509Certificate leaf) {
    for (var name : names(leaf, DNS_NAME)) {
      if (name.isEmpty()) {
        chain.invalid(name, "leaf certificate should not contain empty DNSName");
      }
      if (name.contains("..")) {
        chain.invalid(name, "leaf certificate's DNSName should not contain '..'");
      }
      if (name.startsWith(".") || name.endsWith(".")) {
        chain.invalid(name, "leaf certificate's DNSName should not start or end with '.'");
      }
    }
    for (var address : names(leaf, EMAIL)) {
      if (!address.matches("[^@\\s<>]+@[^@\\s<>]+")) {
        chain.invalid(address, "leaf certificate should not contain invalid EmailAddress");
      }
    }
    var key = PodCertificateKeys.requested(spec);
    if (key != null && !key.equals(leaf.getPublicKey())) {
      chain.invalidText("leaf certificate was not issued to the requested public key");
    }
  }

  private static List<String> names(X509Certificate certificate, int type) {
    try {
      var all = certificate.getSubjectAlternativeNames();
      return all == null
          ? List.of()
          : all.stream()
              .filter(each -> Integer.valueOf(type).equals(each.getFirst()))
              .map(each -> String.valueOf(each.get(1)))
              .toList();
    } catch (CertificateParsingException e) {
      return List.of();
    }
  }

  private void validateTimes(X509Certificate leaf) {
    var begin = time("notBefore", "must be present and consistent with the issued certificate");
    var end = time("notAfter", "must be present and consistent with the issued certificate");
    var refresh =
        time(
            "beginRefreshAt", "must be present and in the range [notbefore+10min, notafter-10min]");
    if (begin == null || end == null || refresh == null) {
      return;
    }
    var lifetime = Duration.between(begin, end);
    long longest = spec.number(0, "maxExpirationSeconds");
    if (!begin.equals(leaf.getNotBefore().toInstant())) {
      refuse(
          "notBefore", begin, "must be set to the NotBefore time encoded in the leaf certificate");
    } else if (Duration.between(begin, now).abs().compareTo(SKEW) >= 0) {
      refuse(
          "notBefore", begin, "must be set to within 5 minutes of kube-apiserver's current time");
    } else if (!end.equals(leaf.getNotAfter().toInstant())) {
      refuse("notAfter", end, "must be set to the NotAfter time encoded in the leaf certificate");
    } else if (lifetime.compareTo(Duration.ofHours(1)) < 0) {
      chain.invalid(lifetime.toNanos(), "leaf certificate lifetime must be >= 1 hour");
    } else if (lifetime.compareTo(Duration.ofSeconds(longest)) > 0) {
      chain.invalid(
          lifetime.toNanos(),
          "leaf certificate lifetime must be <= spec.maxExpirationSeconds (%d)".formatted(longest));
    } else if (refresh.isBefore(begin.plus(MARGIN))) {
      refuse("beginRefreshAt", refresh, "must be at least 10 minutes after status.notBefore");
    } else if (refresh.isAfter(end.minus(MARGIN))) {
      refuse("beginRefreshAt", refresh, "must be at least 10 minutes before status.notAfter");
    }
  }

  private @Nullable Instant time(String field, String missing) {
    var time = status.at(field);
    if (!time.isSet()) {
      time.missing(missing);
      return null;
    }
    return Instant.parse(time.text());
  }

  private void validateOthers(List<PemBlock> blocks) {
    for (var block : blocks) {
      if (!block.type().equals("CERTIFICATE")) {
        // The misspelling is Kubernetes' own.
        chain.invalidText(
            "issued certificate chain must consist entirely of CERTFICATE PEM blocks");
        return;
      }
      if (certificate(block) == null) {
        chain.invalidText("intermediate certificate does not parse as valid X.509");
        return;
      }
    }
  }

  private static @Nullable X509Certificate certificate(PemBlock block) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(block.bytes()));
    } catch (CertificateException e) {
      return null;
    }
  }

  private void refuse(String field, Instant time, String detail) {
    status.at(field).invalid(time.toString(), detail);
  }
}
