package io.berth.admission;

import static io.berth.api.Resource.NAMESPACES;
import static io.berth.api.Resource.PODS;

import io.berth.admission.podsecurity.Level;
import io.berth.admission.podsecurity.Policy;
import io.berth.api.FieldErrors;
import io.berth.api.Tree;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Holds pods to the security standard of their namespace, and warns about templates of pods that
/// would break it.
///
/// Mirrors: plugin/pkg/admission/security/podsecurity.Plugin
final class PodSecurity implements AdmissionPlugin {

  private static final int PODS_CHECKED = 3000;

  /// Where controllers keep the pods they make.
  private static final Map<String, List<String>> TEMPLATES =
      Map.of(
          "cronjobs.batch", List.of("spec", "jobTemplate", "spec", "template"),
          "daemonsets.apps", List.of("spec", "template"),
          "deployments.apps", List.of("spec", "template"),
          "jobs.batch", List.of("spec", "template"),
          "podtemplates", List.of("template"),
          "replicasets.apps", List.of("spec", "template"),
          "replicationcontrollers", List.of("spec", "template"),
          "statefulsets.apps", List.of("spec", "template"));

  @Override
  public String name() {
    return "PodSecurity";
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (!(request.is(Operation.CREATE) || request.is(Operation.UPDATE))) {
      return;
    }
    if (request.isFor(NAMESPACES)) {
      validateNamespace(request, lookup);
    } else if (request.isFor(PODS) || request.isFor(PODS, "ephemeralcontainers")) {
      if (request.is(Operation.CREATE) || isSignificant(request.object(), request.oldObject())) {
        evaluate(request, policyOf(request, lookup), request.object(), true);
      }
    } else if (request.subresource().isEmpty()) {
      var template = templateOf(request);
      if (template != null) {
        evaluate(request, policyOf(request, lookup), template, false);
      }
    }
  }

  private static @Nullable Tree templateOf(Attributes request) {
    var path = TEMPLATES.get(request.resource().qualified());
    return path == null ? null : request.object().tree(path.toArray(String[]::new));
  }

  private static Policy policyOf(Attributes request, Lookup lookup) {
    var namespace = lookup.find(NAMESPACES, "", request.namespace());
    var labels =
        namespace == null ? Map.<String, String>of() : namespace.texts("metadata", "labels");
    return Policy.of(labels, new FieldErrors());
  }

  private static void evaluate(Attributes request, Policy policy, Tree pod, boolean enforce) {
    if (enforce) {
      var violations = policy.enforce().violations(pod);
      if (!violations.isEmpty()) {
        throw request.forbidden(
            "violates PodSecurity \"%s\": %s".formatted(policy.enforce(), Level.text(violations)));
      }
    }
    var violations = policy.warn().violations(pod);
    if (!violations.isEmpty()) {
      request.warn(
          "would violate PodSecurity \"%s\": %s".formatted(policy.warn(), Level.text(violations)));
    }
  }

  /// Of what an update of a pod may change, only images and new ephemeral containers matter.
  private static boolean isSignificant(Tree pod, Tree old) {
    var before = Pods.allContainers(old);
    var after = Pods.allContainers(pod);
    if (before.size() != after.size()) {
      return true;
    }
    for (int i = 0; i < after.size(); i++) {
      if (!Objects.equals(after.get(i).text("image"), before.get(i).text("image"))) {
        return true;
      }
    }
    return false;
  }

  private static void validateNamespace(Attributes request, Lookup lookup) {
    var errors = new FieldErrors();
    var policy = Policy.of(request.object().texts("metadata", "labels"), errors);
    var old =
        request.is(Operation.UPDATE)
            ? Policy.of(request.oldObject().texts("metadata", "labels"), new FieldErrors())
            : new Policy(Level.PRIVILEGED, Level.PRIVILEGED);
    if (!errors.isEmpty() && (request.is(Operation.CREATE) || isNewlyWrong(request, errors))) {
      throw errors.toException(NAMESPACES, request.name());
    }
    if (request.is(Operation.UPDATE)
        && !policy.enforce().name().equals("privileged")
        && !policy.enforce().equals(old.enforce())) {
      warnOfViolators(request, lookup, policy.enforce());
    }
  }

  /// Labels that were wrong already do not stand in the way of other changes.
  private static boolean isNewlyWrong(Attributes request, FieldErrors errors) {
    var before = new FieldErrors();
    Policy.of(request.oldObject().texts("metadata", "labels"), before);
    return !before.list().equals(errors.list());
  }

  private static void warnOfViolators(Attributes request, Lookup lookup, Level level) {
    var names = new TreeMap<String, String>();
    var counts = new TreeMap<String, Integer>();
    var pods = lookup.list(PODS, request.name());
    for (var pod : pods.subList(0, Math.min(pods.size(), PODS_CHECKED))) {
      var violations = level.violations(pod);
      if (!violations.isEmpty()) {
        var reasons = String.join(", ", violations.stream().map(Level.Violation::reason).toList());
        names.putIfAbsent(reasons, pod.textOrEmpty("metadata", "name"));
        counts.merge(reasons, 1, Integer::sum);
      }
    }
    if (pods.size() > PODS_CHECKED) {
      request.warn(
          "new PodSecurity enforce level only checked against the first %d of %d existing pods"
              .formatted(PODS_CHECKED, pods.size()));
    }
    if (names.isEmpty()) {
      return;
    }
    request.warn(
        "existing pods in namespace \"%s\" violate the new PodSecurity enforce level \"%s\""
            .formatted(request.name(), level));
    names.entrySet().stream()
        .map(entry ->
            violator(entry.getValue(), counts.getOrDefault(entry.getKey(), 1))
                + ": "
                + entry.getKey())
        .sorted()
        .forEach(request::warn);
  }

  private static String violator(String pod, int count) {
    return switch (count) {
      case 1 -> pod;
      case 2 -> pod + " (and 1 other pod)";
      default -> "%s (and %d other pods)".formatted(pod, count - 1);
    };
  }
}
