package io.berth.kinds.core;

import io.berth.api.FieldError;
import io.berth.api.PodResources;
import io.berth.api.Quantity;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Rules of `resources`: of containers, of a pod as a whole, and of its overhead.
///
/// Mirrors: core/validation.ValidateContainerResourceRequirements, validatePodResources
public final class ResourceValidation {

  private final boolean allowIndivisibleHugePages;

  ResourceValidation(boolean allowIndivisibleHugePages) {
    this.allowIndivisibleHugePages = allowIndivisibleHugePages;
  }

  /// Checks names only known to containers or to pods.
  private interface NameRule {
    void check(String name, Cursor amount);
  }

  void container(Cursor resources, Set<String> claims) {
    validate(resources, claims, ResourceNames::validateOfContainer);
  }

  void overhead(Cursor overhead) {
    container(overhead.with(Tree.of("limits", overhead.value())), Set.of());
  }

  void pod(Cursor spec, Set<String> claims) {
    var resources = spec.at("resources").ifSet();
    if (spec.at("os").text("name").equals("windows")) {
      resources.forbidden("may not be set for a windows pod");
      return;
    }
    resources.forbidden("claims may not be set for Resources at pod-level", "claims");
    validate(resources, claims, ResourceNames::validateOfPod);
    consistency(spec, resources);
  }

  private void validate(Cursor resources, Set<String> claims, NameRule nameRule) {
    var limits = ResourceList.read(resources.at("limits").treeOrNull());
    var requests = ResourceList.read(resources.at("requests").treeOrNull());
    limits.forEach((name, amount) -> {
      var at = resources.at("limits").key(name);
      nameRule.check(name, at);
      ResourceNames.validateAmount(name, amount, at);
      hugePages(name, amount, at);
    });
    requests.forEach((name, amount) -> {
      var at = resources.at("requests").key(name);
      nameRule.check(name, at);
      ResourceNames.validateAmount(name, amount, at);
      requestWithinLimit(name, amount, limits.get(name), resources);
      hugePages(name, amount, at);
    });
    boolean huge =
        limits.keySet().stream().anyMatch(ResourceNames::isHugePages)
            || requests.keySet().stream().anyMatch(ResourceNames::isHugePages);
    if (huge && !hasCpuOrMemory(limits) && !hasCpuOrMemory(requests)) {
      resources.forbidden("HugePages require cpu or memory");
    }
    claims(resources.each("claims"), claims);
  }

  private static void requestWithinLimit(
      String name, Quantity request, @Nullable Quantity limit, Cursor resources) {
    if (limit == null) {
      if (!ResourceNames.isOvercommitAllowed(name)) {
        resources.at("limits").missing("Limit must be set for non overcommitable resources");
      }
    } else if (request.compareTo(limit) != 0 && !ResourceNames.isOvercommitAllowed(name)) {
      resources
          .at("requests")
          .invalid(request.toString(), "must be equal to %s limit of %s".formatted(name, limit));
    } else if (request.compareTo(limit) > 0) {
      resources
          .at("requests")
          .invalid(
              request.toString(),
              "must be less than or equal to %s limit of %s".formatted(name, limit));
    }
  }

  private void hugePages(String name, Quantity amount, Cursor at) {
    if (ResourceNames.isHugePages(name)
        && !allowIndivisibleHugePages
        && !isDivisible(name, amount)) {
      at.invalid(
          amount.toString(), "%s is not positive integer multiple of %s".formatted(amount, name));
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

  private static void claims(List<Cursor> claims, Set<String> podClaims) {
    var names = new HashSet<String>();
    for (var claim : claims) {
      var name = claim.text("name");
      if (name.isEmpty()) {
        claim.missing();
        continue;
      }
      if (names.contains(name)) {
        claim.duplicate(name);
      } else {
        claimRequest(claim, name, names);
      }
      if (!podClaims.contains(name)) {
        unknownClaim(claim, name, podClaims);
      }
    }
  }

  private static void claimRequest(Cursor claim, String name, Set<String> names) {
    var request = claim.at("request").ifFilled().follows(Names::dnsLabel).text();
    var key = request.isEmpty() ? name : name + "/" + request;
    if (names.contains(key)) {
      claim.duplicate(key);
    } else if (request.isEmpty()) {
      for (var other : names) {
        if (other.startsWith(name + "/")) {
          claim.duplicate(name);
        }
      }
    }
    names.add(key);
  }

  private static void unknownClaim(Cursor claim, String name, Set<String> podClaims) {
    var known =
        podClaims.isEmpty()
            ? " which is empty"
            : ": " + String.join(", ", new TreeSet<>(podClaims));
    claim
        .errors()
        .add(
            FieldError.notFound(
                claim.path(), name, "must be one of the names in pod.spec.resourceClaims" + known));
  }

  private static void consistency(Cursor spec, Cursor resources) {
    var requests = ResourceList.read(resources.at("requests").treeOrNull());
    var limits = ResourceList.read(resources.at("limits").treeOrNull());
    if (requests.isEmpty() && limits.isEmpty()) {
      return;
    }
    PodResources.containerRequests(spec.tree())
        .forEach((name, sum) -> {
          var whole = requests.get(name);
          if (whole != null && sum.compareTo(whole) > 0) {
            resources
                .at("requests")
                .key(name)
                .invalid(
                    whole.toString(),
                    "must be greater than or equal to aggregate container requests of " + sum);
          }
        });
    PodResources.containerLimits(spec.tree())
        .forEach((name, sum) -> {
          var whole = limits.get(name);
          if (whole != null && ResourceNames.isHugePages(name) && sum.compareTo(whole) > 0) {
            resources
                .at("limits")
                .key(name)
                .invalid(
                    whole.toString(),
                    "must be greater than or equal to aggregate container limits of " + sum);
          }
        });
    for (var container : spec.each("containers")) {
      containerWithinPod(container, limits, resources.at("containers").element(container.index()));
    }
  }

  private static void containerWithinPod(
      Cursor container, Map<String, Quantity> limits, Cursor at) {
    ResourceList.read(container.at("resources", "limits").treeOrNull())
        .forEach((name, limit) -> {
          var whole = limits.get(name);
          if (whole != null && limit.compareTo(whole) > 0) {
            at.key(name)
                .at("limits")
                .invalid(limit.toString(), "must be less than or equal to pod limits of " + whole);
          }
        });
  }
}
