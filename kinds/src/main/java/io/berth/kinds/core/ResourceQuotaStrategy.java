package io.berth.kinds.core;

import io.berth.api.Resource;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.meta.Cursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Resource quotas: what a namespace may use, for all its objects or those of a scope.
///
/// Mirrors: registry/core/resourcequota.resourcequotaStrategy,
/// core/validation.ValidateResourceQuota
public final class ResourceQuotaStrategy extends PlainStrategy {

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
  public void validateCreate(Cursor quota) {
    super.validateCreate(quota);
    status(quota.at("status"));
  }

  private static void amounts(Cursor list) {
    for (var amount : list.entries()) {
      ResourceNames.validateOfQuota(amount.name(), amount);
      ResourceNames.validateAmount(amount.name(), amount);
    }
  }

  @Override
  protected void validate(Cursor quota, @Nullable Tree old) {
    var spec = quota.at("spec");
    var hard = new TreeSet<>(spec.at("hard").tree().names());
    amounts(spec.at("hard"));
    scopes(spec.at("scopes"), hard);
    spec.at("scopeSelector").ifSet(selector -> selector(selector, spec, hard));
  }

  private static void scopes(Cursor scopes, Set<String> hard) {
    for (var scope : scopes.each()) {
      if (!SCOPES.contains(scope.text())) {
        scopes.invalid("unsupported scope");
      }
      for (var name : hard) {
        if (!applies(scope.text(), name)) {
          scopes.invalid("unsupported scope applied to resource");
        }
      }
    }
    conflicts(scopes, scopes.list());
  }

  private static void conflicts(Cursor shown, Collection<? extends @Nullable Object> scopes) {
    for (var pair :
        List.of(List.of("BestEffort", "NotBestEffort"), List.of("Terminating", "NotTerminating"))) {
      if (scopes.containsAll(pair)) {
        shown.invalid(shown.list(), "conflicting scopes");
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

  private static void selector(Cursor selector, Cursor spec, Set<String> hard) {
    // As in Kubernetes, errors do not say which of the expressions they are about.
    var all = selector.at("matchExpressions");
    var scopes = new HashSet<String>();
    for (var each : all.each()) {
      var requirement = all.with(each.value());
      var scope = requirement.at("scopeName");
      if (!SCOPES.contains(scope.text())) {
        scope.invalidText("unsupported scope");
      }
      for (var name : hard) {
        if (!applies(scope.text(), name)) {
          all.invalid(shown(selector.tree()), "unsupported scope applied to resource");
        }
      }
      operator(requirement, scope.text());
      scopes.add(scope.text());
    }
    conflicts(all.with(spec.at("scopes").list()), scopes);
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

  private static void operator(Cursor requirement, String scope) {
    var operator = requirement.at("operator");
    var values = requirement.at("values");
    if (SCOPES.contains(scope)
        && !scope.equals("PriorityClass")
        && !scope.equals("VolumeAttributesClass")
        && !operator.is("Exists")) {
      operator.invalidText(
          "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
              + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
              + " ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
    }
    switch (operator.text()) {
      case "In", "NotIn" ->
          values.required(
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
      case "Exists", "DoesNotExist" ->
          values
              .ifFilled()
              .invalid(
                  "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
      default -> operator.invalidText("not a valid selector operator");
    }
  }

  private static void status(Cursor status) {
    amounts(status.at("hard"));
    amounts(status.at("used"));
  }

  @Override
  public void validateUpdate(Cursor quota, Tree old) {
    super.validateUpdate(quota, old);
    var scopes = quota.at("spec", "scopes");
    if (!new HashSet<>(scopes.list()).equals(new HashSet<>(old.list("spec", "scopes")))) {
      scopes.invalid(scopes.isEmpty() ? null : scopes.value(), "field is immutable");
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of(
        "status",
        new StatusRules() {
          @Override
          public void validateUpdate(Cursor quota, Tree old) {
            super.validateUpdate(quota, old);
            status(quota.at("status"));
          }
        });
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
