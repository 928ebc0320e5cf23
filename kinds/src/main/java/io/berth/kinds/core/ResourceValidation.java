package io.berth.kinds.core;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.PodResources;
import io.berth.api.Quantity;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Rules of `resources`: of containers, of a pod as a whole, and of its overhead.
public final class ResourceValidation {

  private final FieldErrors errors;
  private final boolean allowIndivisibleHugePages;

  ResourceValidation(FieldErrors errors, boolean allowIndivisibleHugePages) {
    this.errors = errors;
    this.allowIndivisibleHugePages = allowIndivisibleHugePages;
  }

  /// Checks names only known to containers or to pods.
  private interface NameRule {
    void check(String name, FieldPath path, FieldErrors errors);
  }

  void container(Tree resources, Set<String> claims, FieldPath path) {
    validate(resources, claims, path, ResourceNames::validateOfContainer);
  }

  void overhead(Tree overhead, FieldPath path) {
    container(Tree.of("limits", overhead), Set.of(), path);
  }

  void pod(Tree spec, Set<String> claims, FieldPath specPath) {
    var resources = spec.tree("resources");
    if (resources == null) {
      return;
    }
    var path = specPath.child("resources");
    if (spec.textOrEmpty("os", "name").equals("windows")) {
      errors.forbidden(path, "may not be set for a windows pod");
      return;
    }
    if (resources.has("claims")) {
      errors.forbidden(path.child("claims"), "claims may not be set for Resources at pod-level");
    }
    validate(resources, claims, path, ResourceNames::validateOfPod);
    consistency(spec, resources, path);
  }

  private void validate(Tree resources, Set<String> claims, FieldPath path, NameRule nameRule) {
    var limits = ResourceList.read(resources.tree("limits"));
    var requests = ResourceList.read(resources.tree("requests"));
    limits.forEach(
        (name, amount) -> amount(name, amount, path.child("limits").key(name), nameRule));
    requests.forEach((name, amount) -> {
      nameRule.check(name, path.child("requests").key(name), errors);
      ResourceNames.validateAmount(name, amount, path.child("requests").key(name), errors);
      requestWithinLimit(name, amount, limits, path);
      hugePages(name, amount, path.child("requests").key(name));
    });
    boolean huge =
        limits.keySet().stream().anyMatch(ResourceNames::isHugePages)
            || requests.keySet().stream().anyMatch(ResourceNames::isHugePages);
    if (huge && !hasCpuOrMemory(limits) && !hasCpuOrMemory(requests)) {
      errors.forbidden(path, "HugePages require cpu or memory");
    }
    claims(resources, claims, path.child("claims"));
  }

  private void amount(String name, Quantity amount, FieldPath path, NameRule nameRule) {
    nameRule.check(name, path, errors);
    ResourceNames.validateAmount(name, amount, path, errors);
    hugePages(name, amount, path);
  }

  private void requestWithinLimit(
      String name, Quantity request, Map<String, Quantity> limits, FieldPath path) {
    var limit = limits.get(name);
    if (limit == null) {
      if (!ResourceNames.isOvercommitAllowed(name)) {
        errors.required(path.child("limits"), "Limit must be set for non overcommitable resources");
      }
    } else if (request.compareTo(limit) != 0 && !ResourceNames.isOvercommitAllowed(name)) {
      errors.invalid(
          path.child("requests"),
          request.toString(),
          "must be equal to %s limit of %s".formatted(name, limit));
    } else if (request.compareTo(limit) > 0) {
      errors.invalid(
          path.child("requests"),
          request.toString(),
          "must be less than or equal to %s limit of %s".formatted(name, limit));
    }
  }

  private void hugePages(String name, Quantity amount, FieldPath path) {
    if (ResourceNames.isHugePages(name)
        && !allowIndivisibleHugePages
        && !isDivisible(name, amount)) {
      errors.invalid(
          path,
          amount.toString(),
          "%s is not positive integer multiple of %s".formatted(amount, name));
    }
  }

  static boolean hasIndivisiblePages(Tree resources) {
    for (var list : new String[] {"limits", "requests"}) {
      for (var each : ResourceList.read(resources.tree(list)).entrySet()) {
        if (ResourceNames.isHugePages(each.getKey())
            && !isDivisible(each.getKey(), each.getValue())) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isDivisible(String name, Quantity amount) {
    try {
      var page = Quantity.parse(name.substring("hugepages-".length()));
      return page.amount().signum() > 0
          && page.milliValue() % 1000 == 0
          && amount.value() % page.value() == 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean hasCpuOrMemory(Map<String, Quantity> list) {
    return list.containsKey("cpu") || list.containsKey("memory");
  }

  private void claims(Tree resources, Set<String> podClaims, FieldPath path) {
    var names = new HashSet<String>();
    var claims = resources.trees("claims");
    for (int i = 0; i < claims.size(); i++) {
      var name = claims.get(i).textOrEmpty("name");
      if (name.isEmpty()) {
        errors.required(path.index(i));
        continue;
      }
      if (names.contains(name)) {
        errors.duplicate(path.index(i), name);
      } else {
        claimRequest(name, claims.get(i).textOrEmpty("request"), names, path.index(i));
      }
      if (!podClaims.contains(name)) {
        unknownClaim(name, podClaims, path.index(i));
      }
    }
  }

  private void claimRequest(String name, String request, Set<String> names, FieldPath path) {
    var key = name;
    if (!request.isEmpty()) {
      Checks.dnsLabel(path.child("request"), request, errors);
      key = name + "/" + request;
    }
    if (names.contains(key)) {
      errors.duplicate(path, key);
    } else if (request.isEmpty()) {
      for (var other : names) {
        if (other.startsWith(name + "/")) {
          errors.duplicate(path, name);
        }
      }
    }
    names.add(key);
  }

  private void unknownClaim(String name, Set<String> podClaims, FieldPath path) {
    var known =
        podClaims.isEmpty()
            ? " which is empty"
            : ": " + String.join(", ", new TreeSet<>(podClaims));
    errors.add(
        FieldError.notFound(
            path, name, "must be one of the names in pod.spec.resourceClaims" + known));
  }

  private void consistency(Tree spec, Tree resources, FieldPath path) {
    var requests = ResourceList.read(resources.tree("requests"));
    PodResources.containerRequests(spec)
        .forEach((name, sum) -> {
          var whole = requests.get(name);
          if (whole != null && sum.compareTo(whole) > 0) {
            errors.invalid(
                path.child("requests").key(name),
                whole.toString(),
                "must be greater than or equal to aggregate container requests of " + sum);
          }
        });
    var limits = ResourceList.read(resources.tree("limits"));
    PodResources.containerLimits(spec)
        .forEach((name, sum) -> {
          var whole = limits.get(name);
          if (whole != null && ResourceNames.isHugePages(name) && sum.compareTo(whole) > 0) {
            errors.invalid(
                path.child("limits").key(name),
                whole.toString(),
                "must be greater than or equal to aggregate container limits of " + sum);
          }
        });
    var containers = spec.trees("containers");
    for (int i = 0; i < containers.size(); i++) {
      containerWithinPod(containers.get(i), limits, path.child("containers").index(i));
    }
  }

  private void containerWithinPod(Tree container, Map<String, Quantity> limits, FieldPath path) {
    ResourceList.read(container.tree("resources", "limits"))
        .forEach((name, limit) -> {
          var whole = limits.get(name);
          if (whole != null && limit.compareTo(whole) > 0) {
            errors.invalid(
                path.key(name).child("limits"),
                limit.toString(),
                "must be less than or equal to pod limits of " + whole);
          }
        });
  }
}
