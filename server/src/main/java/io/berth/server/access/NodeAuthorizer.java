package io.berth.server.access;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.List;
import java.util.Set;

/// What kubelets may do: read what the pods on their own node refer to, and their own objects.
///
/// The relation between a node and an object is looked up in the pods of that node, which the store
/// finds by index; nothing is cached, so a pod that is gone gives access to nothing.
public final class NodeAuthorizer implements Authorizer {

  private static final Set<String> READS = Set.of("get", "list", "watch");
  private static final String READ_ONLY = "can only read resources of this type";

  private final Objects objects;
  private final List<Rule> rules;

  /// `rules` are those that hold for every node.
  public NodeAuthorizer(Objects objects, List<Rule> rules) {
    this.objects = objects;
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
      case "/secrets" -> related(request, node, pod -> PodReferences.secrets(pod));
      case "/configmaps" -> related(request, node, pod -> PodReferences.configMaps(pod));
      case "/persistentvolumeclaims" ->
          request.subresource().equals("status")
              ? byRules(request)
              : related(request, node, pod -> PodReferences.claims(pod));
      case "/serviceaccounts" -> serviceAccount(request, node);
      case "/nodes" -> node(request, node);
      case "/pods" -> pod(request, node);
      case "coordination.k8s.io/leases" -> lease(request, node);
      case "storage.k8s.io/csinodes" ->
          own(request, node, "can only access CSINode with the same name as the requesting node");
      default -> byRules(request);
    };
  }

  private Decision related(Request request, String node, References references) {
    if (!READS.contains(request.verb())) {
      return no(READ_ONLY);
    }
    if (!request.subresource().isEmpty()) {
      return no("cannot read subresource");
    }
    if (request.namespace().isEmpty()) {
      return no("can only read namespaced object of this type");
    }
    if (request.name().isEmpty()) {
      return no("No Object name found");
    }
    return isReferred(request, node, references) ? Decision.ALLOWED : unrelated(node);
  }

  private boolean isReferred(Request request, String node, References references) {
    for (var pod : objects.podsOn(node)) {
      if (pod.textOrEmpty("metadata", "namespace").equals(request.namespace())
          && references.of(pod).contains(request.name())) {
        return true;
      }
    }
    return false;
  }

  private Decision serviceAccount(Request request, String node) {
    boolean token = request.subresource().equals("token");
    boolean allowedVerb =
        token
            ? request.verb().equals("create")
            : request.subresource().isEmpty() && READS.contains(request.verb());
    if (!allowedVerb) {
      return no(token ? "can only create tokens for individual service accounts" : READ_ONLY);
    }
    if (request.name().isEmpty()) {
      return no(
          token
              ? "can only create tokens for individual service accounts"
              : "No Object name found");
    }
    return isReferred(request, node, pod -> Set.of(pod.textOrEmpty("spec", "serviceAccountName")))
        ? Decision.ALLOWED
        : unrelated(node);
  }

  private static Decision node(Request request, String node) {
    if (request.subresource().equals("status")) {
      return request.verb().equals("update") || request.verb().equals("patch")
          ? Decision.ALLOWED
          : Decision.NO_OPINION;
    }
    if (!request.subresource().isEmpty()) {
      return Decision.NO_OPINION;
    }
    return switch (request.verb()) {
      case "create", "update", "patch" -> Decision.ALLOWED;
      case "get", "list", "watch" -> {
        if (request.name().equals(node)) {
          yield Decision.ALLOWED;
        }
        yield no(
            request.name().isEmpty()
                ? "node '%s' cannot read all nodes, only its own Node object".formatted(node)
                : "node '%s' cannot read '%s', only its own Node object"
                    .formatted(node, request.name()));
      }
      default -> Decision.NO_OPINION;
    };
  }

  private Decision pod(Request request, String node) {
    if (!request.subresource().isEmpty() || !READS.contains(request.verb())) {
      return byRules(request);
    }
    if (request.verb().equals("get")) {
      var pod = objects.find(Resource.PODS, request.namespace(), request.name());
      return pod != null && pod.textOrEmpty("spec", "nodeName").equals(node)
          ? Decision.ALLOWED
          : unrelated(node);
    }
    return request.selector().required("spec.nodeName") != null
            && node.equals(request.selector().required("spec.nodeName"))
        ? Decision.ALLOWED
        : no("can only list/watch pods with spec.nodeName field selector");
  }

  private static Decision lease(Request request, String node) {
    if (!Set.of("get", "create", "update", "patch", "delete").contains(request.verb())) {
      return no("can only get, create, update, patch, or delete a node lease");
    }
    if (!request.namespace().equals("kube-node-lease")) {
      return no("can only access leases in the \"kube-node-lease\" system namespace");
    }
    return request.verb().equals("create") || request.name().equals(node)
        ? Decision.ALLOWED
        : no("can only access node lease with the same name as the requesting node");
  }

  private static Decision own(Request request, String node, String refusal) {
    if (!Set.of("get", "create", "update", "patch", "delete").contains(request.verb())) {
      return no("can only get, create, update, patch, or delete a CSINode");
    }
    return request.verb().equals("create") || request.name().equals(node)
        ? Decision.ALLOWED
        : no(refusal);
  }

  private Decision byRules(Request request) {
    for (var rule : rules) {
      if (rule.allows(request)) {
        return Decision.ALLOWED;
      }
    }
    return Decision.NO_OPINION;
  }

  private static Decision unrelated(String node) {
    return no("no relationship found between node '%s' and this object".formatted(node));
  }

  private static Decision no(String why) {
    return new Decision(false, "node: " + why);
  }

  /// Names of one kind that a pod refers to.
  private interface References {

    Set<String> of(Tree pod);
  }
}
