package io.berth.admission;

import static io.berth.admission.Others.CERTIFICATE_SIGNING_REQUESTS;

import io.berth.codec.CertificateSubject;
import io.berth.codec.SigningRequest;

/// Refuses client certificates for the group that may do everything.
///
/// Mirrors: plugin/pkg/admission/certificates/subjectrestriction.Plugin
public final class CertificateSubjectRestriction implements AdmissionPlugin {

  private static final String SIGNER = "kubernetes.io/kube-apiserver-client";

  @Override
  public String name() {
    return "CertificateSubjectRestriction";
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (!request.isFor(CERTIFICATE_SIGNING_REQUESTS)
        || !request.is(Operation.CREATE)
        || !request.object().textOrEmpty("spec", "signerName").equals(SIGNER)) {
      return;
    }
    CertificateSubject subject;
    try {
      subject = SigningRequest.ofField(request.object().textOrEmpty("spec", "request")).subject();
    } catch (IllegalArgumentException e) {
      throw request.forbidden("failed to parse CSR: " + e.getMessage());
    }
    try {
      check(subject);
    } catch (IllegalArgumentException e) {
      throw request.forbidden(String.valueOf(e.getMessage()));
    }
  }

  /// What the signer asks again, because the plugin can be switched off and objects can be older
  /// than it. Throws [IllegalArgumentException].
  public static void check(CertificateSubject subject) {
    if (subject.organizations().contains("system:masters")) {
      throw new IllegalArgumentException(
          "use of %s signer with system:masters group is not allowed".formatted(SIGNER));
    }
  }
}
