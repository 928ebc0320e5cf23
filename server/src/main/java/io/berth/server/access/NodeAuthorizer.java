package io.berth.server.access;

import io.berth.server.access.NodeRelations.Kind;
import java.util.List;
import java.util.Set;

/// What kubelets may do: read what the pods on their own node refer to, and their own objects.
///
/// Where a request does not show yet whose object it is about, as when one is created, it passes
/// here, and the admission plugin NodeRestriction decides.
public final class NodeAuthorizer implements Authorizer {

  private static final Set<String> READS = Set.of("get", "list", "watch");
  private static final Set<String> WRITES = Set.of("update", "patch");
  private static final Set<String> OWN = Set.of("get", "create", "update", "patch", "delete");

  private final NodeRelations relations;
  private final List<Rule> rules;

  /// `rules` are those that hold for every node.
  public NodeAuthorizer(Objects objects, List<Rule> rules) {
    this.relations = new NodeRelations(objects);
    this.rules = List.copyOf(rules);
  }

  @Override
  public Decision decide(Request request) {
    var node = request.user().nodeName();
    if (node == null) {
      return Decision.NO_OPINION;
    }
    if (node.isEmpty()) {
      return no("unknown node for user \"%s\"".formatted(request.user().name()));
    }
    return switch (request.group() + "/" + request.resource()) {
      case "/secrets" -> read(request, node, Kind.SECRET);
      case "/configmaps" -> read(request, node, Kind.CONFIG_MAP);
      case "/persistentvolumeclaims" ->
          request.subresource().equals("status")
              ? claimStatus(request, node)
              : get(request, node, Kind.CLAIM);
      case "/persistentvolumes" -> get(request, node, Kind.VOLUME);
      case "resource.k8s.io/resourceclaims" -> get(request, node, Kind.RESOURCE_CLAIM);
      case "storage.k8s.io/volumeattachments" -> get(request, node, Kind.VOLUME_ATTACHMENT);
      case "/serviceaccounts" -> serviceAccount(request, node);
      case "coordination.k8s.io/leases" -> lease(request, node);
      case "storage.k8s.io/csinodes" -> csiNode(request, node);
      case "resource.k8s.io/resourceslices" -> resourceSlice(request, node);
      case "/nodes" -> node(request, node);
      case "/pods" -> pod(request, node);
      case "certificates.k8s.io/podcertificaterequests" -> podCertificate(request, node);
      default -> byRules(request);
    };
  }

  private Decision read(Request request, String node, Kind kind) {
    if (!READS.contains(request.verb())) {
      return no("can only read resources of this type");
    }
    if (!request.subresource().isEmpty()) {
      return no("cannot read subresource");
    }
    if (request.namespace().isEmpty()) {
      return no("can only read namespaced object of this type");
    }
    return related(request, node, kind);
  }

  private Decision get(Request request, String node, Kind kind) {
    if (!request.verb().equals("get")) {
      return no("can only get individual resources of this type");
    }
    if (!request.subresource().isEmpty()) {
      return no("cannot get subresource");
    }
    return related(request, node, kind);
  }

  private Decision claimStatus(Request request, String node) {
    return WRITES.contains(request.verb())
        ? related(request, node, Kind.CLAIM)
        : no("can only get/update/patch this type");
  }

  private Decision related(Request request, String node, Kind kind) {
    if (request.name().isEmpty()) {
      return no("No Object name found");
    }
    return relations.exists(node, kind, request.namespace(), request.name())
        ? Decision.ALLOWED
        : no("no relationship found between node '%s' and this object".formatted(node));
  }

  private Decision serviceAccount(Request request, String node) {
    if (request.verb().equals("get") && request.subresource().isEmpty()) {
      return read(request, node, Kind.SERVICE_ACCOUNT);
    }
    if (!request.verb().equals("create") || request.name().isEmpty()) {
      return no("can only create tokens for individual service accounts");
    }
    return request.subresource().equals("token")
        ? related(request, node, Kind.SERVICE_ACCOUNT)
        : no("can only create token subresource of serviceaccount");
  }

  private static Decision lease(Request request, String node) {
    if (!OWN.contains(request.verb())) {
      return no("can only get, create, update, patch, or delete a node lease");
    }
    if (!request.namespace().equals("kube-node-lease")) {
      return no("can only access leases in the \"kube-node-lease\" system namespace");
    }
    return own(
        request, node, "can only access node lease with the same name as the requesting node");
  }

  private static Decision csiNode(Request request, String node) {
    if (request.subresource().equals("status")) {
      return no("CSINode status access requires CSIVolumeHealth feature");
    }
    if (!request.subresource().isEmpty()) {
      return no("cannot authorize CSINode subresources");
    }
    return OWN.contains(request.verb())
        ? own(request, node, "can only access CSINode with the same name as the requesting node")
        : no("can only get, create, update, patch, or delete a CSINode");
  }

  private static Decision own(Request request, String node, String otherwise) {
    return request.verb().equals("create") || request.name().equals(node)
        ? Decision.ALLOWED
        : no(otherwise);
  }

  private Decision resourceSlice(Request request, String node) {
    if (!request.subresource().isEmpty()) {
      return no("cannot authorize ResourceSlice subresources");
    }
    return switch (request.verb()) {
      case "create" -> Decision.ALLOWED;
      case "get", "update", "patch", "delete" -> related(request, node, Kind.RESOURCE_SLICE);
      case "watch", "list", "deletecollection" ->
          selectsNode(request, node)
              ? Decision.ALLOWED
              : no(
                  "can only list/watch/deletecollection resourceslices with nodeName field"
                      + " selector");
      default ->
          no(
              "only the following verbs are allowed for a ResourceSlice: get, watch, list, create,"
                  + " update, patch, delete, deletecollection");
    };
  }

  private static boolean selectsNode(Request request, String node) {
    return node.equals(request.selector().required("spec.nodeName"));
  }

  private static Decision node(Request request, String node) {
    return switch (request.subresource()) {
      case "" ->
          switch (request.verb()) {
            case "create", "update", "patch" -> Decision.ALLOWED;
            case "get", "list", "watch" -> ownNode(request.name(), node);
            default -> Decision.NO_OPINION;
          };
      case "status" -> allowedIf(WRITES.contains(request.verb()));
      default -> Decision.NO_OPINION;
    };
  }

  private static Decision ownNode(String name, String node) {
    if (name.equals(node)) {
      return Decision.ALLOWED;
    }
    return no(
        name.isEmpty()
            ? "node '%s' cannot read all nodes, only its own Node object".formatted(node)
            : "node '%s' cannot read '%s', only its own Node object".formatted(node, name));
  }

  private Decision pod(Request request, String node) {
    return switch (request.subresource()) {
      case "" ->
          switch (request.verb()) {
            case "get" -> related(request, node, Kind.POD);
            case "list", "watch" -> pods(request, node);
            // Of its own mirror pods.
            case "create", "delete" -> Decision.ALLOWED;
            default -> Decision.NO_OPINION;
          };
      case "status" -> allowedIf(WRITES.contains(request.verb()));
      case "eviction" -> allowedIf(request.verb().equals("create"));
      default -> Decision.NO_OPINION;
    };
  }

  private Decision pods(Request request, String node) {
    if (selectsNode(request, node)) {
      return Decision.ALLOWED;
    }
    return request.name().isEmpty()
        ? no("can only list/watch pods with spec.nodeName field selector")
        : related(request, node, Kind.POD);
  }

  private Decision podCertificate(Request request, String node) {
    if (!request.subresource().isEmpty()) {
      return no("nodes may not access the status subresource of PodCertificateRequests");
    }
    return switch (request.verb()) {
      case "create" -> Decision.ALLOWED;
      case "get" -> related(request, node, Kind.POD_CERTIFICATE_REQUEST);
      case "list", "watch" ->
          selectsNode(request, node)
              ? Decision.ALLOWED
              : no("can only list/watch podcertificaterequests with nodeName field selector");
      default -> no("nodes may not %s podcertificaterequests".formatted(request.verb()));
    };
  }

  private Decision byRules(Request request) {
    return allowedIf(rules.stream().anyMatch(rule -> rule.allows(request)));
  }

  private static Decision allowedIf(boolean allowed) {
    return allowed ? Decision.ALLOWED : Decision.NO_OPINION;
  }

  private static Decision no(String why) {
    return new Decision(false, "node: " + why);
  }
}
