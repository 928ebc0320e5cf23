package io.berth.admission;

import static io.berth.admission.Operation.CREATE;
import static io.berth.admission.Operation.DELETE;
import static io.berth.admission.Operation.UPDATE;
import static io.berth.api.Resource.CSI_NODES;
import static io.berth.api.Resource.LEASES;
import static io.berth.api.Resource.NODES;
import static io.berth.api.Resource.PERSISTENT_VOLUME_CLAIMS;
import static io.berth.api.Resource.PODS;
import static io.berth.api.Resource.SERVICE_ACCOUNTS;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.CertificateSubject;
import io.berth.codec.SigningRequest;
import java.util.List;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Keeps kubelets to their own node, its pods, its lease and what belongs to them.
///
/// Mirrors: plugin/pkg/admission/noderestriction.Plugin
final class NodeRestriction implements AdmissionPlugin {

  @Override
  public String name() {
    return "NodeRestriction";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    var node = request.user().nodeName();
    if (node == null) {
      return;
    }
    if (node.isEmpty()) {
      throw request.forbidden(
          "could not determine node from user \"%s\"".formatted(request.user().name()));
    }
    if (request.isOn(PODS)) {
      admitPod(node, request, lookup);
    } else if (request.isOn(NODES)) {
      admitNode(node, request);
    } else if (request.isOn(PERSISTENT_VOLUME_CLAIMS)) {
      admitClaim(node, request);
    } else if (request.isFor(SERVICE_ACCOUNTS, "token") && request.is(CREATE)) {
      admitToken(node, request, lookup);
    } else if (request.isOn(LEASES)) {
      admitLease(node, request);
    } else if (request.isOn(CSI_NODES)) {
      requireOwnName(
          node, request, "can only access CSINode with the same name as the requesting node");
    } else if (request.isOn(Others.RESOURCE_SLICES)) {
      admitResourceSlice(node, request);
    } else if (request.isOn(Others.POD_CERTIFICATE_REQUESTS)) {
      NodeCredentials.admitCertificate(node, request, lookup);
    } else if (request.isOn(Others.CERTIFICATE_SIGNING_REQUESTS)) {
      admitSigningRequest(node, request);
    }
  }

  private static void admitPod(String node, Attributes request, Lookup lookup) {
    switch (request.subresource()) {
      case "" -> admitPodItself(node, request, lookup);
      case "status" -> admitPodStatus(node, request);
      case "eviction" -> admitEviction(node, request, lookup);
      default ->
          throw request.forbidden(
              "unexpected pod subresource \"%s\", only 'status' and 'eviction' are allowed"
                  .formatted(request.subresource()));
    }
  }

  private static void admitPodItself(String node, Attributes request, Lookup lookup) {
    if (request.is(CREATE)) {
      MirrorPods.admit(node, request, lookup);
    } else if (request.is(DELETE)) {
      if (!isOn(node, find(request, lookup, request.name()))) {
        throw request.forbidden(
            "node \"%s\" can only delete pods with spec.nodeName set to itself".formatted(node));
      }
    } else {
      throw request.forbidden(
          "unexpected operation \"%s\", node \"%s\" can only create and delete mirror pods"
              .formatted(request.operation(), node));
    }
  }

  private static Tree find(Attributes request, Lookup lookup, String pod) {
    var found = lookup.find(PODS, request.namespace(), pod);
    if (found == null) {
      throw ApiException.notFound(PODS, pod);
    }
    return found;
  }

  private static boolean isOn(String node, Tree pod) {
    return pod.textOrEmpty("spec", "nodeName").equals(node);
  }

  private static void admitPodStatus(String node, Attributes request) {
    if (!request.is(UPDATE)) {
      throw request.forbidden("unexpected operation \"%s\"".formatted(request.operation()));
    }
    var old = request.oldObject();
    var pod = request.object();
    if (!isOn(node, old)) {
      throw request.forbidden(
          "node \"%s\" can only update pod status for pods with spec.nodeName set to itself"
              .formatted(node));
    }
    if (!old.texts("metadata", "labels").equals(pod.texts("metadata", "labels"))) {
      throw request.forbidden(
          "node \"%s\" cannot update labels through pod status".formatted(node));
    }
    if (!old.list("status", "resourceClaimStatuses")
        .equals(pod.list("status", "resourceClaimStatuses"))) {
      // The misspelling is Kubernetes'.
      throw request.forbidden("node \"%s\" cannot update resource claim statues".formatted(node));
    }
  }

  private static void admitEviction(String node, Attributes request, Lookup lookup) {
    if (!request.is(CREATE)) {
      throw request.forbidden("unexpected operation " + request.operation());
    }
    var pod =
        request.name().isEmpty()
            ? request.object().textOrEmpty("metadata", "name")
            : request.name();
    if (pod.isEmpty()) {
      throw request.forbidden("could not determine pod from request data");
    }
    if (!isOn(node, find(request, lookup, pod))) {
      throw request.forbidden(
          "node %s can only evict pods with spec.nodeName set to itself".formatted(node));
    }
  }

  private static void admitNode(String node, Attributes request) {
    if (!request.name().equals(node)) {
      throw request.forbidden(
          "node \"%s\" is not allowed to modify node \"%s\"".formatted(node, request.name()));
    }
    if (request.is(CREATE)) {
      admitNewNode(node, request);
    } else if (request.is(UPDATE)) {
      admitNodeUpdate(node, request);
    }
  }

  private static void admitNewNode(String node, Attributes request) {
    if (request.object().at("spec", "configSource") != null) {
      throw request.forbidden(
          "node \"%s\" is not allowed to create pods with a non-nil configSource".formatted(node));
    }
    var forbidden = KubeletLabels.forbidden(request.object(), null);
    if (!forbidden.isEmpty()) {
      throw request.forbidden(
          "node \"%s\" is not allowed to set the following labels: %s"
              .formatted(node, String.join(", ", forbidden)));
    }
  }

  private static void admitNodeUpdate(String node, Attributes request) {
    var object = request.object();
    var old = request.oldObject();
    var source = object.at("spec", "configSource");
    if (source != null && !source.equals(old.at("spec", "configSource"))) {
      throw request.forbidden(
          "node \"%s\" is not allowed to update configSource to a new non-nil configSource"
              .formatted(node));
    }
    if (!object.list("spec", "taints").equals(old.list("spec", "taints"))) {
      throw request.forbidden("node \"%s\" is not allowed to modify taints".formatted(node));
    }
    var forbidden = KubeletLabels.forbidden(object, old);
    if (!forbidden.isEmpty()) {
      throw request.forbidden("is not allowed to modify labels: " + String.join(", ", forbidden));
    }
    if (!object
        .list("metadata", "ownerReferences")
        .equals(old.list("metadata", "ownerReferences"))) {
      throw request.forbidden(
          "node \"%s\" is not allowed to modify ownerReferences".formatted(node));
    }
  }

  private static void admitClaim(String node, Attributes request) {
    if (!request.subresource().equals("status")) {
      throw request.forbidden("may only update PVC status");
    }
    if (!request.is(UPDATE)) {
      throw request.forbidden("unexpected operation \"%s\"".formatted(request.operation()));
    }
    if (!withoutCapacity(request.object()).equals(withoutCapacity(request.oldObject()))) {
      throw request.forbidden(
          "node \"%s\" is not allowed to update fields other than status.quantity and status.conditions"
              .formatted(node));
    }
  }

  private static Tree withoutCapacity(Tree claim) {
    var rest = claim.copy();
    var metadata = rest.child("metadata");
    metadata.remove("resourceVersion");
    metadata.remove("managedFields");
    var status = rest.child("status");
    List.of("capacity", "conditions", "allocatedResourceStatuses", "allocatedResources")
        .forEach(status::remove);
    return rest;
  }

  private static void admitToken(String node, Attributes request, Lookup lookup) {
    var reference = request.object().tree("spec", "boundObjectRef");
    if (reference == null
        || !reference.textOrEmpty("apiVersion").equals("v1")
        || !reference.textOrEmpty("kind").equals("Pod")
        || reference.textOrEmpty("name").isEmpty()) {
      throw request.forbidden("node requested token not bound to a pod");
    }
    var uid = reference.textOrEmpty("uid");
    if (uid.isEmpty()) {
      throw request.forbidden("node requested token with a pod binding without a uid");
    }
    var pod = find(request, lookup, reference.textOrEmpty("name"));
    if (!uid.equals(pod.text("metadata", "uid"))) {
      throw request.forbidden(
          "the UID in the bound object reference (%s) does not match the UID in record. The object might have been deleted and then recreated"
              .formatted(uid));
    }
    if (!isOn(node, pod)) {
      throw request.forbidden("node requested token bound to a pod scheduled on a different node");
    }
    NodeCredentials.checkAudience(request, pod, lookup);
  }

  private static void admitLease(String node, Attributes request) {
    if (!request.namespace().equals("kube-node-lease")) {
      throw request.forbidden("can only access leases in the \"kube-node-lease\" system namespace");
    }
    requireOwnName(
        node, request, "can only access node lease with the same name as the requesting node");
  }

  private static void requireOwnName(String node, Attributes request, String otherwise) {
    var name =
        request.is(CREATE) ? request.object().textOrEmpty("metadata", "name") : request.name();
    if (!name.equals(node)) {
      throw request.forbidden(otherwise);
    }
  }

  private static void admitResourceSlice(String node, Attributes request) {
    var slice = request.hasObject() ? request.object() : oldOf(request);
    if (slice != null && !node.equals(slice.textOrEmpty("spec", "nodeName"))) {
      throw request.forbidden(
          request.is(DELETE)
              ? "can only delete ResourceSlice with the same NodeName as the requesting node"
              : "can only create ResourceSlice with the same NodeName as the requesting node");
    }
  }

  private static @Nullable Tree oldOf(Attributes request) {
    return request.hasOldObject() ? request.oldObject() : null;
  }

  /// A kubelet may ask only for certificates of its own node.
  private static void admitSigningRequest(String node, Attributes request) {
    if (!request.is(CREATE) || !request.subresource().isEmpty()) {
      return;
    }
    var signer = request.object().textOrEmpty("spec", "signerName");
    if (!signer.equals("kubernetes.io/kubelet-serving")
        && !signer.equals("kubernetes.io/kube-apiserver-client-kubelet")) {
      return;
    }
    CertificateSubject subject;
    try {
      subject = SigningRequest.ofField(request.object().textOrEmpty("spec", "request")).subject();
    } catch (IllegalArgumentException e) {
      throw request.forbidden("unable to parse csr");
    }
    if (!subject.commonName().equals("system:node:" + node)) {
      throw request.forbidden(
          "can only create a node CSR with CN=system:node:" + Objects.requireNonNull(node));
    }
  }

  /// Which labels a kubelet may not touch.
  static final class KubeletLabels {

    private static final String RESTRICTED = "node-restriction.kubernetes.io";

    private static final List<String> ALLOWED =
        List.of(
            "beta.kubernetes.io/arch",
            "beta.kubernetes.io/instance-type",
            "beta.kubernetes.io/os",
            "failure-domain.beta.kubernetes.io/region",
            "failure-domain.beta.kubernetes.io/zone",
            "kubernetes.io/arch",
            "kubernetes.io/hostname",
            "kubernetes.io/os",
            "node.kubernetes.io/instance-type",
            "topology.kubernetes.io/region",
            "topology.kubernetes.io/zone");

    private static final List<String> ALLOWED_NAMESPACES =
        List.of("kubelet.kubernetes.io", "node.kubernetes.io");

    private KubeletLabels() {}

    /// The added, changed and removed keys that are not the kubelet's, sorted.
    static SequencedSet<String> forbidden(Tree node, @Nullable Tree old) {
      var before = (old == null ? new Tree() : old).texts("metadata", "labels");
      var forbidden = new TreeSet<>(Pods.changedKeys(node.texts("metadata", "labels"), before));
      forbidden.removeIf(key -> !isForbidden(key));
      return forbidden;
    }

    private static boolean isForbidden(String key) {
      int slash = key.indexOf('/');
      var namespace = slash < 0 ? "" : key.substring(0, slash);
      if (isOrBelow(namespace, RESTRICTED)) {
        return true;
      }
      boolean kubernetes = isOrBelow(namespace, "kubernetes.io") || isOrBelow(namespace, "k8s.io");
      return kubernetes
          && !ALLOWED.contains(key)
          && ALLOWED_NAMESPACES.stream().noneMatch(allowed -> isOrBelow(namespace, allowed));
    }

    private static boolean isOrBelow(String namespace, String domain) {
      return namespace.equals(domain) || namespace.endsWith("." + domain);
    }
  }
}
