package io.berth.admission;

import static io.berth.admission.Others.CERTIFICATE_SIGNING_REQUESTS;

/// Refuses client certificates for the group that may do everything.
final class CertificateSubjectRestriction implements AdmissionPlugin {

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
    var subject = CertificateRequest.subject(request.object().textOrEmpty("spec", "request"));
    if (subject == null) {
      throw request.forbidden("failed to parse CSR: PEM block type must be CERTIFICATE REQUEST");
    }
    if (subject.organizations().contains("system:masters")) {
      throw request.forbidden(
          "use of %s signer with system:masters group is not allowed".formatted(SIGNER));
    }
  }
}
