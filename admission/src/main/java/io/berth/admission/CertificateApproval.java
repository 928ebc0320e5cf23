package io.berth.admission;

import static io.berth.admission.Others.CERTIFICATE_SIGNING_REQUESTS;

/// Lets users approve certificate requests only for signers they may approve for.
///
/// Mirrors: plugin/pkg/admission/certificates/approval.Plugin
final class CertificateApproval implements AdmissionPlugin {

  @Override
  public String name() {
    return "CertificateApproval";
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (!request.isFor(CERTIFICATE_SIGNING_REQUESTS, "approval") || !request.is(Operation.UPDATE)) {
      return;
    }
    // The stored signer counts, whatever the update says.
    var signer = request.oldObject().textOrEmpty("spec", "signerName");
    if (!Signers.allow(request.user(), "approve", signer, lookup)) {
      throw request.forbidden(
          "user not permitted to approve requests with signerName \"%s\"".formatted(signer));
    }
  }
}
