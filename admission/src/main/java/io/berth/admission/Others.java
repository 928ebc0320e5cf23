package io.berth.admission;

import io.berth.api.Resource;

/// Resources that only admission asks about.
final class Others {

  static final Resource RESOURCE_SLICES =
      new Resource("resource.k8s.io", "v1", "resourceslices", "ResourceSlice", false);
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

  private Others() {}
}
