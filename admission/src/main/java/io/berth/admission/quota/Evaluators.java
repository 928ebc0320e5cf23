package io.berth.admission.quota;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Which evaluator counts which resource.
public final class Evaluators {

  /// Core resources that quotas also know by their plain name.
  private static final Set<String> PLAIN =
      Set.of("configmaps", "replicationcontrollers", "resourcequotas", "secrets");

  /// Answers to questions, and events, are not counted.
  private static final Set<String> IGNORED =
      Set.of(
          "bindings",
          "componentstatuses",
          "events",
          "events.events.k8s.io",
          "localsubjectaccessreviews.authorization.k8s.io",
          "selfsubjectaccessreviews.authorization.k8s.io",
          "selfsubjectrulesreviews.authorization.k8s.io",
          "subjectaccessreviews.authorization.k8s.io",
          "tokenreviews.authentication.k8s.io");

  private final PodEvaluator pods;
  private final ServiceEvaluator services = new ServiceEvaluator();
  private final ClaimEvaluator claims = new ClaimEvaluator();
  private final DeviceClaimEvaluator devices = new DeviceClaimEvaluator();

  public Evaluators(InstantSource clock, Function<Tree, String> qosClass) {
    this.pods = new PodEvaluator(clock, qosClass);
  }

  /// The evaluator of a namespaced resource, empty when quotas leave it alone.
  public Optional<Evaluator> find(Resource resource) {
    return switch (resource.qualified()) {
      case "pods" -> Optional.of(pods);
      case "services" -> Optional.of(services);
      case "persistentvolumeclaims" -> Optional.of(claims);
      case "resourceclaims.resource.k8s.io" -> Optional.of(devices);
      case String name when IGNORED.contains(name) -> Optional.empty();
      case String name when PLAIN.contains(name) ->
          Optional.of(new CountEvaluator(Set.of("count/" + name, name)));
      case String name -> Optional.of(new CountEvaluator(Set.of("count/" + name)));
    };
  }
}
