package io.berth.admission;

import static io.berth.api.Resource.CSI_DRIVERS;
import static io.berth.api.Resource.NODES;
import static io.berth.api.Resource.PERSISTENT_VOLUMES;
import static io.berth.api.Resource.PERSISTENT_VOLUME_CLAIMS;
import static io.berth.api.Resource.PODS;
import static io.berth.api.Resource.SERVICE_ACCOUNTS;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;

/// What kubelets may ask for in the name of a pod: tokens for audiences, and certificates of
/// signers, that the pod mounts.
///
/// Mirrors: plugin/pkg/admission/noderestriction. Volumes of drivers that were once in the tree are
/// not looked into; nobody runs them here.
final class NodeCredentials {

  private static final String MIRROR = "kubernetes.io/config.mirror";

  private NodeCredentials() {}

  /// Refuses a token for an audience that the pod has no volume for.
  static void checkAudience(Attributes request, Tree pod, Lookup lookup) {
    var audiences = request.object().list("spec", "audiences");
    if (audiences.size() > 1) {
      throw request.forbidden("node may only request 0 or 1 audiences");
    }
    var audience = audiences.isEmpty() ? "" : String.valueOf(audiences.getFirst());
    boolean mounted =
        pod.trees("spec", "volumes").stream()
            .anyMatch(volume -> needsToken(volume, audience, pod, lookup));
    if (!mounted
        && !may(
            "request-serviceaccounts-token-audience", audience, request.name(), request, lookup)) {
      throw request.forbidden(
          "%s is not authorized to request tokens for audience \"%s\""
              .formatted(request.user().name(), audience));
    }
  }

  private static boolean needsToken(Tree volume, String audience, Tree pod, Lookup lookup) {
    for (var source : volume.trees("projected", "sources")) {
      var token = source.tree("serviceAccountToken");
      if (token != null && token.textOrEmpty("audience").equals(audience)) {
        return true;
      }
    }
    var driver = driver(volume, pod, lookup);
    var found = driver.isEmpty() ? null : lookup.find(CSI_DRIVERS, "", driver);
    return found != null
        && found.trees("spec", "tokenRequests").stream()
            .anyMatch(each -> each.textOrEmpty("audience").equals(audience));
  }

  private static String driver(Tree volume, Tree pod, Lookup lookup) {
    if (volume.tree("ephemeral", "volumeClaimTemplate") != null) {
      var claim = pod.textOrEmpty("metadata", "name") + "-" + volume.textOrEmpty("name");
      return driverOfClaim(claim, pod, lookup);
    }
    if (volume.tree("persistentVolumeClaim") != null) {
      return driverOfClaim(volume.textOrEmpty("persistentVolumeClaim", "claimName"), pod, lookup);
    }
    return volume.textOrEmpty("csi", "driver");
  }

  private static String driverOfClaim(String name, Tree pod, Lookup lookup) {
    var claim =
        lookup.find(PERSISTENT_VOLUME_CLAIMS, pod.textOrEmpty("metadata", "namespace"), name);
    var volume =
        claim == null
            ? null
            : lookup.find(PERSISTENT_VOLUMES, "", claim.textOrEmpty("spec", "volumeName"));
    return volume == null ? "" : volume.textOrEmpty("spec", "csi", "driver");
  }

  /// Refuses a request for a certificate that is not for a pod of this node, its account, and a
  /// signer that it mounts certificates of.
  static void admitCertificate(String node, Attributes request, Lookup lookup) {
    if (!request.is(Operation.CREATE)) {
      throw request.forbidden("unexpected operation " + request.operation());
    }
    var spec = request.object().treeOrEmpty("spec");
    var own = spec.textOrEmpty("nodeName");
    if (!own.equals(node)) {
      throw request.forbidden(
          "PodCertificateRequest.Spec.NodeName=\"%s\", which is not the requesting node \"%s\""
              .formatted(own, node));
    }
    var name = request.namespace() + "/" + spec.textOrEmpty("podName");
    sameUid(find(NODES, "", own, own, lookup), spec, "nodeUID", "node", name);
    var pod = find(PODS, request.namespace(), spec.textOrEmpty("podName"), name, lookup);
    sameUid(pod, spec, "podUID", "pod", name);
    checkPod(pod, spec, name, request);
    var account = spec.textOrEmpty("serviceAccountName");
    var full = request.namespace() + "/" + account;
    sameUid(
        find(SERVICE_ACCOUNTS, request.namespace(), account, full, lookup),
        spec,
        "serviceAccountUID",
        "service account",
        name);
    checkSigner(pod, spec, name, request, lookup);
  }

  private static void checkPod(Tree pod, Tree spec, String name, Attributes request) {
    var node = spec.textOrEmpty("nodeName");
    if (!pod.textOrEmpty("spec", "nodeName").equals(node)) {
      throw request.forbidden(
          "pod \"%s\" is not running on node \"%s\" named in the PodCertificateRequest"
              .formatted(name, node));
    }
    if (pod.treeOrEmpty("metadata", "annotations").has(MIRROR)) {
      throw request.forbidden("pod \"%s\" is a mirror pod".formatted(name));
    }
    var asked = spec.textOrEmpty("serviceAccountName");
    var own = pod.textOrEmpty("spec", "serviceAccountName");
    if (!asked.equals(own)) {
      throw request.forbidden(
          "PodCertificateRequest for pod \"%s\" contains serviceAccountName (\"%s\") that differs from running pod (\"%s\")"
              .formatted(name, asked, own));
    }
  }

  private static void checkSigner(
      Tree pod, Tree spec, String name, Attributes request, Lookup lookup) {
    var signer = spec.textOrEmpty("signerName");
    boolean mounted =
        pod.trees("spec", "volumes").stream()
            .flatMap(volume -> volume.trees("projected", "sources").stream())
            .anyMatch(source -> source.textOrEmpty("podCertificate", "signerName").equals(signer));
    if (!mounted
        && !may(
            "request-serviceaccounts-podcertificate-signer",
            signer.replace('/', ':'),
            spec.textOrEmpty("serviceAccountName"),
            request,
            lookup)) {
      throw request.forbidden(
          "pod \"%s\" does not mount a podCertificate projected volume for signer \"%s\""
              .formatted(name, signer));
    }
  }

  private static Tree find(
      Resource resource, String namespace, String name, String shown, Lookup lookup) {
    var found = lookup.find(resource, namespace, name);
    if (found == null) {
      var missing = ApiException.notFound(resource, name);
      throw new ApiException(
          500,
          "",
          "while retrieving %s \"%s\" named in the PodCertificateRequest: %s"
              .formatted(kind(resource), shown, missing.getMessage()));
    }
    return found;
  }

  private static String kind(Resource resource) {
    return resource.equals(SERVICE_ACCOUNTS)
        ? "service account"
        : resource.kind().toLowerCase(java.util.Locale.ROOT);
  }

  /// As in Kubernetes, this may be settled by asking again.
  private static void sameUid(Tree object, Tree spec, String field, String what, String pod) {
    var asked = spec.textOrEmpty(field);
    var own = object.textOrEmpty("metadata", "uid");
    if (!asked.equals(own)) {
      throw new ApiException(
          500,
          "",
          switch (what) {
            case "node" ->
                "PodCertificateRequest for pod \"%s\" names node UID \"%s\", inconsistent with the running node (\"%s\")"
                    .formatted(pod, asked, own);
            case "pod" ->
                "PodCertificateRequest for pod \"%s\" contains pod UID (\"%s\") which differs from running pod \"%s\""
                    .formatted(pod, asked, own);
            default ->
                "PodCertificateRequest for pod \"%s\" names service account UID \"%s\", which differs from the running service account (\"%s\")"
                    .formatted(pod, asked, own);
          });
    }
  }

  private static boolean may(
      String verb, String resource, String name, Attributes request, Lookup lookup) {
    return lookup.allowed(
        request.user(),
        new Lookup.Access(
            verb, request.resource().group(), resource, "", request.namespace(), name));
  }
}
