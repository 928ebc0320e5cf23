package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Resource quotas: what a namespace may use, for all its objects or those of a scope.
public final class ResourceQuotaStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");

  private static final Set<String> POD_RESOURCES =
      Set.of(
          "pods",
          "cpu",
          "memory",
          "limits.cpu",
          "limits.memory",
          "requests.cpu",
          "requests.memory");

  private static final Set<String> SCOPES =
      Set.of(
          "Terminating",
          "NotTerminating",
          "BestEffort",
          "NotBestEffort",
          "PriorityClass",
          "VolumeAttributesClass",
          "CrossNamespacePodAffinity");

  public ResourceQuotaStrategy() {
    super(Resource.RESOURCE_QUOTAS);
  }

  @Override
  public void setDefaults(Tree quota) {
    ResourceList.roundUp(quota.child("spec").tree("hard"));
    ResourceList.roundUp(quota.child("status").tree("hard"));
    ResourceList.roundUp(quota.child("status").tree("used"));
  }

  @Override
  public void prepareForCreate(Tree quota, Write write) {
    quota.put("status", new Tree());
  }

  @Override
  public void validateCreate(Tree quota, FieldErrors errors) {
    super.validateCreate(quota, errors);
    spec(quota.treeOrEmpty("spec"), errors);
    status(quota, errors);
  }

  private static void amounts(@Nullable Tree list, FieldPath path, FieldErrors errors) {
    ResourceList.read(list)
        .forEach((name, amount) -> {
          ResourceNames.validateOfQuota(name, path.key(name), errors);
          ResourceNames.validateAmount(name, amount, path.key(name), errors);
        });
  }

  private static void spec(Tree spec, FieldErrors errors) {
    amounts(spec.tree("hard"), SPEC.child("hard"), errors);
    scopes(spec, errors);
    if (spec.get("scopeSelector") instanceof Tree selector) {
      selector(spec, selector, errors);
    }
  }

  private static void scopes(Tree spec, FieldErrors errors) {
    var path = SPEC.child("scopes");
    var scopes = spec.list("scopes");
    for (var scope : scopes) {
      if (!SCOPES.contains(String.valueOf(scope))) {
        errors.invalid(path, scopes, "unsupported scope");
      }
      for (var name : new TreeSet<>(spec.treeOrEmpty("hard").names())) {
        if (!applies(String.valueOf(scope), name)) {
          errors.invalid(path, scopes, "unsupported scope applied to resource");
        }
      }
    }
    var all = new HashSet<String>();
    scopes.forEach(scope -> all.add(String.valueOf(scope)));
    conflicts(all, path, scopes, errors);
  }

  private static void conflicts(
      Set<String> scopes, FieldPath path, List<@Nullable Object> shown, FieldErrors errors) {
    for (var pair :
        List.of(List.of("BestEffort", "NotBestEffort"), List.of("Terminating", "NotTerminating"))) {
      if (scopes.containsAll(pair)) {
        errors.invalid(path, shown, "conflicting scopes");
      }
    }
  }

  private static boolean applies(String scope, String resource) {
    if (!ResourceNames.isOfQuota(resource)) {
      return true;
    }
    return switch (scope) {
      case "Terminating",
          "NotTerminating",
          "NotBestEffort",
          "PriorityClass",
          "CrossNamespacePodAffinity" ->
          POD_RESOURCES.contains(resource);
      case "BestEffort" -> resource.equals("pods");
      case "VolumeAttributesClass" ->
          resource.equals("persistentvolumeclaims") || resource.equals("requests.storage");
      default -> true;
    };
  }

  private static void selector(Tree spec, Tree selector, FieldErrors errors) {
    var path = SPEC.child("scopeSelector", "matchExpressions");
    var all = new HashSet<String>();
    for (var requirement : selector.trees("matchExpressions")) {
      var scope = requirement.textOrEmpty("scopeName");
      if (!SCOPES.contains(scope)) {
        errors.invalid(path.child("scopeName"), scope, "unsupported scope");
      }
      for (var name : new TreeSet<>(spec.treeOrEmpty("hard").names())) {
        if (!applies(scope, name)) {
          errors.invalid(path, shown(selector), "unsupported scope applied to resource");
        }
      }
      operator(scope, requirement, path, errors);
      all.add(scope);
    }
    conflicts(all, path, spec.list("scopes"), errors);
  }

  private static Tree shown(Tree selector) {
    var expressions = new ArrayList<Tree>();
    for (var each : selector.trees("matchExpressions")) {
      expressions.add(
          Tree.of(
              "ScopeName",
              each.textOrEmpty("scopeName"),
              "Operator",
              each.textOrEmpty("operator"),
              "Values",
              each.get("values")));
    }
    return Tree.of("MatchExpressions", expressions);
  }

  private static void operator(String scope, Tree requirement, FieldPath path, FieldErrors errors) {
    var operator = requirement.textOrEmpty("operator");
    var values = requirement.list("values");
    if (SCOPES.contains(scope)
        && !scope.equals("PriorityClass")
        && !scope.equals("VolumeAttributesClass")
        && !operator.equals("Exists")) {
      errors.invalid(
          path.child("operator"),
          operator,
          "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
              + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
              + " ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
    }
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          errors.required(
              path.child("values"),
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          errors.invalid(
              path.child("values"),
              values,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
        }
      }
      default -> errors.invalid(path.child("operator"), operator, "not a valid selector operator");
    }
  }

  private static void status(Tree quota, FieldErrors errors) {
    for (var list : List.of("hard", "used")) {
      amounts(quota.tree("status", list), FieldPath.of("status", list), errors);
    }
  }

  @Override
  public void prepareForUpdate(Tree quota, Tree old, Write write) {
    Fields.keep(quota, old, "status");
  }

  @Override
  public void validateUpdate(Tree quota, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(quota, old, errors);
    spec(quota.treeOrEmpty("spec"), errors);
    var scopes = quota.list("spec", "scopes");
    if (!new HashSet<>(scopes).equals(new HashSet<>(old.list("spec", "scopes")))) {
      errors.invalid(SPEC.child("scopes"), scopes.isEmpty() ? null : scopes, "field is immutable");
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of(
        "status",
        new StatusRules() {
          @Override
          public void validateUpdate(Tree quota, Tree old, FieldErrors errors) {
            super.validateUpdate(quota, old, errors);
            status(quota, errors);
          }
        });
  }

  @Override
  public boolean deleteReturnsObject() {
    return true;
  }

  @Override
  public List<@Nullable Object> cells(Tree quota, Instant now) {
    var requests = new ArrayList<String>();
    var limits = new ArrayList<String>();
    for (var name : new TreeSet<>(quota.treeOrEmpty("status", "hard").names())) {
      var text =
          "%s: %s/%s"
              .formatted(
                  name,
                  ResourceList.quantity(quota.at("status", "used", name)),
                  ResourceList.quantity(quota.at("status", "hard", name)));
      (name.startsWith("limits.") ? limits : requests).add(text);
    }
    return Cells.row(
        Cells.name(quota),
        String.join(", ", requests),
        String.join(", ", limits),
        Cells.age(quota, now));
  }
}
