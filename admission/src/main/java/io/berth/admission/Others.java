package io.berth.admission;

import io.berth.api.Resource;

/// Resources that only admission asks about.
final class Others {

  static final Resource RESOURCE_SLICES =
      new Resource("resource.k8s.io", "v1", "resourceslices", "ResourceSlice", false);
  static final Resource POD_CERTIFICATE_REQUESTS =
      new Resource(
          "certificates.k8s.io", "v1", "podcertificaterequests", "PodCertificateRequest", true);
  static final Resource CERTIFICATE_SIGNING_REQUESTS =
      new Resource(
          "certificates.k8s.io",
          "v1",
          "certificatesigningrequests",
          "CertificateSigningRequest",
          false);
  static final Resource INGRESSES =
      new Resource("networking.k8s.io", "v1", "ingresses", "Ingress", true);
  static final Resource INGRESS_CLASSES =
      new Resource("networking.k8s.io", "v1", "ingressclasses", "IngressClass", false);
  static final Resource RUNTIME_CLASSES =
      new Resource("node.k8s.io", "v1", "runtimeclasses", "RuntimeClass", false);

  static final Resource VALIDATING_POLICIES =
      registration("validatingadmissionpolicies", "ValidatingAdmissionPolicy");
  static final Resource VALIDATING_BINDINGS =
      registration("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding");
  static final Resource MUTATING_POLICIES =
      registration("mutatingadmissionpolicies", "MutatingAdmissionPolicy");
  static final Resource MUTATING_BINDINGS =
      registration("mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding");
  static final Resource VALIDATING_WEBHOOKS =
      registration("validatingwebhookconfigurations", "ValidatingWebhookConfiguration");
  static final Resource MUTATING_WEBHOOKS =
      registration("mutatingwebhookconfigurations", "MutatingWebhookConfiguration");

  private Others() {}

  private static Resource registration(String plural, String kind) {
    return new Resource("admissionregistration.k8s.io", "v1", plural, kind, false);
  }
}
