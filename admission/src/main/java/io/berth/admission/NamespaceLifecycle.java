package io.berth.admission;

import static io.berth.api.Resource.NAMESPACES;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Refuses writes in namespaces that do not exist, creations in those that are going away, and the
/// deletion of the namespaces a cluster cannot do without.
///
/// Mirrors: apiserver/pkg/admission/plugin/namespace/lifecycle.Lifecycle
final class NamespaceLifecycle implements AdmissionPlugin {

  private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

  private static final Set<String> ACCESS_REVIEWS = Set.of("localsubjectaccessreviews");

  @Override
  public String name() {
    return "NamespaceLifecycle";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (request.isOn(NAMESPACES)) {
      refuseToDeleteImmortal(request);
      return;
    }
    if (request.namespace().isEmpty()
        || request.is(Operation.DELETE)
        || ACCESS_REVIEWS.contains(request.resource().plural())) {
      return;
    }
    var namespace = lookup.find(NAMESPACES, "", request.namespace());
    if (namespace == null) {
      throw ApiException.notFound(NAMESPACES, request.namespace());
    }
    if (request.is(Operation.CREATE)
        && namespace.textOrEmpty("status", "phase").equals("Terminating")) {
      throw terminating(request);
    }
  }

  private static void refuseToDeleteImmortal(Attributes request) {
    if (request.is(Operation.DELETE) && IMMORTAL.contains(request.name())) {
      throw request.forbidden("this namespace may not be deleted");
    }
  }

  private static ApiException terminating(Attributes request) {
    var namespace = request.namespace();
    var refusal =
        request.forbidden(
            "unable to create new content in namespace %s because it is being terminated"
                .formatted(namespace));
    var cause =
        Tree.of(
            "reason",
            "NamespaceTerminating",
            "message",
            "namespace %s is being terminated".formatted(namespace),
            "field",
            "metadata.namespace");
    var details = Objects.requireNonNull(refusal.details());
    return new ApiException(
        refusal.code(),
        refusal.reason(),
        Objects.requireNonNull(refusal.getMessage()),
        ApiException.withCauses(details, List.of(cause)));
  }
}
