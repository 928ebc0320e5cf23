package io.berth.kinds.certificates;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
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
final class IssuedChain {

  private static final FieldPath STATUS = FieldPath.of("status");
  private static final FieldPath CHAIN = STATUS.child("certificateChain");
  private static final int MAX_BYTES = 100 * 1024;
  private static final Duration SKEW = Duration.ofMinutes(5);
  private static final Duration MARGIN = Duration.ofMinutes(10);
  private static final int DNS_NAME = 2;
  private static final int EMAIL = 1;

  private final Tree object;
  private final Instant now;
  private final FieldErrors errors;
  private final String chain;

  IssuedChain(Tree object, Instant now, FieldErrors errors) {
    this.object = object;
    this.now = now;
    this.errors = errors;
    this.chain = object.textOrEmpty("status", "certificateChain");
  }

  void validate() {
    if (Names.bytes(chain) > MAX_BYTES) {
      errors.tooLong(CHAIN, MAX_BYTES);
      return;
    }
    var blocks = PemBlock.all(chain);
    if (blocks.isEmpty()) {
      refuse("issued certificate chain must contain at least one certificate");
      return;
    }
    if (!blocks.getFirst().type().equals("CERTIFICATE")) {
      refuse("issued certificate chain must consist entirely of CERTIFICATE PEM blocks");
      return;
    }
    var leaf = certificate(blocks.getFirst());
    if (leaf == null) {
      refuse("leaf certificate does not parse as valid X.509");
      return;
    }
    validateLeaf(leaf);
    if (errors.isEmpty()) {
      validateTimes(leaf);
    }
    if (errors.isEmpty()) {
      validateOthers(blocks.subList(1, blocks.size()));
    }
  }

  private void validateLeaf(X509Certificate leaf) {
    for (var name : names(leaf, DNS_NAME)) {
      if (name.isEmpty()) {
        errors.invalid(CHAIN, name, "leaf certificate should not contain empty DNSName");
      }
      if (name.contains("..")) {
        errors.invalid(CHAIN, name, "leaf certificate's DNSName should not contain '..'");
      }
      if (name.startsWith(".") || name.endsWith(".")) {
        errors.invalid(CHAIN, name, "leaf certificate's DNSName should not start or end with '.'");
      }
    }
    for (var address : names(leaf, EMAIL)) {
      if (!address.matches("[^@\\s<>]+@[^@\\s<>]+")) {
        errors.invalid(CHAIN, address, "leaf certificate should not contain invalid EmailAddress");
      }
    }
    var key = PodCertificateKeys.requested(object.treeOrEmpty("spec"));
    if (key != null && !key.equals(leaf.getPublicKey())) {
      refuse("leaf certificate was not issued to the requested public key");
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
    long longest = object.number(0, "spec", "maxExpirationSeconds");
    if (!begin.equals(leaf.getNotBefore().toInstant())) {
      refuse(
          "notBefore", begin, "must be set to the NotBefore time encoded in the leaf certificate");
    } else if (Duration.between(begin, now).abs().compareTo(SKEW) >= 0) {
      refuse(
          "notBefore", begin, "must be set to within 5 minutes of kube-apiserver's current time");
    } else if (!end.equals(leaf.getNotAfter().toInstant())) {
      refuse("notAfter", end, "must be set to the NotAfter time encoded in the leaf certificate");
    } else if (lifetime.compareTo(Duration.ofHours(1)) < 0) {
      errors.invalid(CHAIN, lifetime.toNanos(), "leaf certificate lifetime must be >= 1 hour");
    } else if (lifetime.compareTo(Duration.ofSeconds(longest)) > 0) {
      errors.invalid(
          CHAIN,
          lifetime.toNanos(),
          "leaf certificate lifetime must be <= spec.maxExpirationSeconds (%d)".formatted(longest));
    } else if (refresh.isBefore(begin.plus(MARGIN))) {
      refuse("beginRefreshAt", refresh, "must be at least 10 minutes after status.notBefore");
    } else if (refresh.isAfter(end.minus(MARGIN))) {
      refuse("beginRefreshAt", refresh, "must be at least 10 minutes before status.notAfter");
    }
  }

  private @Nullable Instant time(String field, String missing) {
    var text = object.text("status", field);
    if (text == null) {
      errors.required(STATUS.child(field), missing);
      return null;
    }
    return Instant.parse(text);
  }

  private void validateOthers(List<PemBlock> blocks) {
    for (var block : blocks) {
      if (!block.type().equals("CERTIFICATE")) {
        // The misspelling is Kubernetes' own.
        refuse("issued certificate chain must consist entirely of CERTFICATE PEM blocks");
        return;
      }
      if (certificate(block) == null) {
        refuse("intermediate certificate does not parse as valid X.509");
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

  private void refuse(String detail) {
    errors.invalid(CHAIN, chain, detail);
  }

  private void refuse(String field, Instant time, String detail) {
    errors.invalid(STATUS.child(field), time.toString(), detail);
  }
}
