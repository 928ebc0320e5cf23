package io.berth.admission;

import static io.berth.api.Resource.NODES;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import java.util.Map;

/// What a kubelet may create: mirrors of its static pods, owned by its node and without references
/// to anything else.
final class MirrorPods {

  /// Volumes behind which stand other objects; secrets and config maps are looked for before.
  private static final Map<String, String> VOLUMES =
      Map.of(
          "csi", "csidrivers (via CSI volumes)",
          "ephemeral", "persistentvolumeclaims (via ephemeral volumes)",
          "glusterfs", "endpoints (via glusterFS volumes)",
          "persistentVolumeClaim", "persistentvolumeclaims");

  private static final Map<String, String> PROJECTIONS =
      Map.of(
          "clusterTrustBundle", "clustertrustbundles",
          "podCertificate", "podcertificates",
          "serviceAccountToken", "serviceaccounts (via projected volumes)");

  private MirrorPods() {}

  static void admit(String node, Attributes request, Lookup lookup) {
    var pod = request.object();
    if (!Pods.isMirror(pod)) {
      throw request.forbidden(
          "pod does not have \"%s\" annotation, node \"%s\" can only create mirror pods"
              .formatted(Pods.MIRROR, node));
    }
    if (!pod.textOrEmpty("spec", "nodeName").equals(node)) {
      throw refusal(request, node, "can only create pods with spec.nodeName set to itself");
    }
    admitOwner(node, request, lookup);
    admitReferences(node, request);
  }

  private static void admitOwner(String node, Attributes request, Lookup lookup) {
    var owners = request.object().trees("metadata", "ownerReferences");
    if (owners.size() > 1) {
      throw refusal(
          request, node, "can only create pods with a single owner reference set to itself");
    }
    if (owners.isEmpty() || !isNode(owners.getFirst(), node)) {
      throw refusal(request, node, "can only create pods with an owner reference set to itself");
    }
    var owner = owners.getFirst();
    if (!owner.flag("controller")) {
      throw refusal(
          request, node, "can only create pods with a controller owner reference set to itself");
    }
    if (owner.flag("blockOwnerDeletion")) {
      throw refusal(request, node, "must not set blockOwnerDeletion on an owner reference");
    }
    var object = lookup.find(NODES, "", node);
    if (object == null) {
      throw ApiException.notFound(NODES, node);
    }
    var uid = object.textOrEmpty("metadata", "uid");
    if (!owner.textOrEmpty("uid").equals(uid)) {
      throw request.forbidden(
          "node %s UID mismatch: expected %s got %s"
              .formatted(node, owner.textOrEmpty("uid"), uid));
    }
  }

  private static boolean isNode(Tree owner, String node) {
    return owner.textOrEmpty("apiVersion").equals("v1")
        && owner.textOrEmpty("kind").equals("Node")
        && owner.textOrEmpty("name").equals(node);
  }

  private static void admitReferences(String node, Attributes request) {
    var pod = request.object();
    if (!pod.textOrEmpty("spec", "serviceAccountName").isEmpty()) {
      throw reference(request, node, "serviceaccounts");
    }
    if (Pods.referencesSecrets(pod)) {
      throw reference(request, node, "secrets");
    }
    if (Pods.referencesConfigMaps(pod)) {
      throw reference(request, node, "configmaps");
    }
    if (!pod.list("spec", "resourceClaims").isEmpty()) {
      throw reference(request, node, "resourceclaims");
    }
    for (var volume : pod.trees("spec", "volumes")) {
      for (var source : VOLUMES.entrySet()) {
        if (volume.has(source.getKey())) {
          throw reference(request, node, source.getValue());
        }
      }
      for (var source : PROJECTIONS.entrySet()) {
        if (Pods.projects(volume, source.getKey())) {
          throw reference(request, node, source.getValue());
        }
      }
    }
  }

  private static ApiException reference(Attributes request, String node, String what) {
    return refusal(request, node, "can not create pods that reference " + what);
  }

  private static ApiException refusal(Attributes request, String node, String what) {
    return request.forbidden("node \"%s\" %s".formatted(node, what));
  }
}
