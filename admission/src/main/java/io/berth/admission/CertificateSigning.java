package io.berth.admission;

import static io.berth.admission.Others.CERTIFICATE_SIGNING_REQUESTS;
import static io.berth.admission.Others.POD_CERTIFICATE_REQUESTS;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import java.util.Objects;

/// Lets users issue certificates only for signers they may sign for.
///
/// Mirrors: plugin/pkg/admission/certificates/signing.Plugin
final class CertificateSigning implements AdmissionPlugin {

  @Override
  public String name() {
    return "CertificateSigning";
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (request.isFor(POD_CERTIFICATE_REQUESTS, "status") && request.is(Operation.UPDATE)) {
      validatePodCertificate(request, lookup);
    }
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

  /// Not a plugin of its own in Kubernetes, but the last of the checks of the status.
  private static void validatePodCertificate(Attributes request, Lookup lookup) {
    var old = request.oldObject();
    var signer = old.textOrEmpty("spec", "signerName");
    if (!Objects.equals(old.get("status"), request.object().get("status"))
        && !Signers.allow(request.user(), "sign", signer, lookup)) {
      var errors = new FieldErrors();
      errors.forbidden(
          FieldPath.of("spec", "signerName"),
          "User \"%s\" is not permitted to \"sign\" for signer \"%s\""
              .formatted(request.user().name(), signer));
      throw errors.toException(POD_CERTIFICATE_REQUESTS, request.name());
    }
  }
}
