package io.berth.admission;

import static io.berth.admission.Others.CERTIFICATE_SIGNING_REQUESTS;

import java.util.Objects;

/// Lets users issue certificates only for signers they may sign for.
final class CertificateSigning implements AdmissionPlugin {

  @Override
  public String name() {
    return "CertificateSigning";
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (!request.isFor(CERTIFICATE_SIGNING_REQUESTS, "status") || !request.is(Operation.UPDATE)) {
      return;
    }
    var old = request.oldObject();
    boolean unchanged =
        Objects.equals(
                old.at("status", "certificate"), request.object().at("status", "certificate"))
            && old.list("status", "conditions")
                .equals(request.object().list("status", "conditions"));
    var signer = old.textOrEmpty("spec", "signerName");
    if (!unchanged && !Signers.allow(request.user(), "sign", signer, lookup)) {
      throw request.forbidden(
          "user not permitted to sign requests with signerName \"%s\"".formatted(signer));
    }
  }
}
