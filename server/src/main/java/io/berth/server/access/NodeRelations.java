package io.berth.server.access;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which objects have to do with a node.
///
/// They are looked up in the pods of that node, which the store finds by index; nothing is cached,
/// so a pod that is gone gives access to nothing.
final class NodeRelations {

  private static final String MIRROR = "kubernetes.io/config.mirror";

  private static final Resource RESOURCE_SLICES =
      new Resource("resource.k8s.io", "v1", "resourceslices", "ResourceSlice", false);
  private static final Resource POD_CERTIFICATE_REQUESTS =
      new Resource(
          "certificates.k8s.io", "v1", "podcertificaterequests", "PodCertificateRequest", true);

  private final Objects objects;

  NodeRelations(Objects objects) {
    this.objects = objects;
  }

  enum Kind {
    POD,
    SECRET,
    CONFIG_MAP,
    SERVICE_ACCOUNT,
    CLAIM,
    VOLUME,
    RESOURCE_CLAIM,
    VOLUME_ATTACHMENT,
    RESOURCE_SLICE,
    POD_CERTIFICATE_REQUEST
  }

  boolean exists(String node, Kind kind, String namespace, String name) {
    return switch (kind) {
      case POD -> isOf(node, Resource.PODS, namespace, name);
      case SECRET ->
          isReferred(node, namespace, name, PodReferences::secrets)
              || isSecretOfVolume(node, namespace, name);
      case CONFIG_MAP -> isReferred(node, namespace, name, PodReferences::configMaps);
      case SERVICE_ACCOUNT -> isReferred(node, namespace, name, NodeRelations::account);
      case CLAIM -> isReferred(node, namespace, name, PodReferences::claims);
      case VOLUME -> isVolume(node, objects.find(Resource.PERSISTENT_VOLUMES, "", name));
      case RESOURCE_CLAIM -> isReferred(node, namespace, name, PodReferences::resourceClaims);
      case VOLUME_ATTACHMENT -> isOf(node, Resource.VOLUME_ATTACHMENTS, "", name);
      case RESOURCE_SLICE -> isOf(node, RESOURCE_SLICES, "", name);
      case POD_CERTIFICATE_REQUEST -> isOf(node, POD_CERTIFICATE_REQUESTS, namespace, name);
    };
  }

  private boolean isOf(String node, Resource resource, String namespace, String name) {
    var object = objects.find(resource, namespace, name);
    return object != null && object.textOrEmpty("spec", "nodeName").equals(node);
  }

  /// A kubelet makes mirror pods itself, so what those refer to is none of its business.
  private boolean isReferred(String node, String namespace, String name, References references) {
    for (var pod : objects.podsOn(node)) {
      if (pod.textOrEmpty("metadata", "namespace").equals(namespace)
          && !pod.texts("metadata", "annotations").containsKey(MIRROR)
          && references.of(pod).contains(name)) {
        return true;
      }
    }
    return false;
  }

  private static Set<String> account(Tree pod) {
    return Set.of(pod.textOrEmpty("spec", "serviceAccountName"));
  }

  /// The volume of a claim that a pod refers to.
  private boolean isVolume(String node, @Nullable Tree volume) {
    var claim = volume == null ? null : volume.tree("spec", "claimRef");
    return claim != null
        && isReferred(
            node, claim.textOrEmpty("namespace"), claim.textOrEmpty("name"), PodReferences::claims);
  }

  private boolean isSecretOfVolume(String node, String namespace, String name) {
    for (var volume : objects.list(Resource.PERSISTENT_VOLUMES, "")) {
      if (VolumeSecrets.has(volume, namespace, name) && isVolume(node, volume)) {
        return true;
      }
    }
    return false;
  }

  /// Names of one kind that a pod refers to.
  private interface References {

    Set<String> of(Tree pod);
  }
}
