package io.berth.admission;

import static io.berth.api.Resource.RESOURCE_QUOTAS;

import io.berth.admission.quota.Amounts;
import io.berth.admission.quota.Evaluator;
import io.berth.admission.quota.Evaluators;
import io.berth.admission.quota.Scope;
import io.berth.api.Quantity;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Charges writes to the quotas of their namespace and refuses those that would exceed one.
///
/// Charging happens in the transaction that stores the object. Kubernetes charges before and leaves
/// it to a controller to give back what a failed write took; here nothing is ever taken in vain.
///
/// Mirrors: apiserver/pkg/admission/plugin/resourcequota.QuotaAdmission
final class ResourceQuota implements AdmissionPlugin {

  private final Evaluators evaluators;

  ResourceQuota(InstantSource clock) {
    this.evaluators = new Evaluators(clock, Pods::qosClass);
  }

  @Override
  public String name() {
    return "ResourceQuota";
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (request.namespace().isEmpty()
        || !(request.is(Operation.CREATE) || request.is(Operation.UPDATE))) {
      return;
    }
    evaluators
        .find(request.resource())
        .filter(evaluator -> handles(evaluator, request))
        .ifPresent(evaluator -> charge(evaluator, request, lookup));
  }

  private static boolean handles(Evaluator evaluator, Attributes request) {
    if (!evaluator.handlesSubresource(request.subresource())) {
      return false;
    }
    if (request.is(Operation.CREATE)) {
      return request.subresource().isEmpty();
    }
    return evaluator.handlesUpdate(request.subresource(), request.object(), request.oldObject());
  }

  private static void charge(Evaluator evaluator, Attributes request, Lookup lookup) {
    var covering = covering(evaluator, request, lookup);
    if (covering.isEmpty()) {
      return;
    }
    var usage = usage(evaluator, request);
    var charged = new ArrayList<Tree>();
    for (var quota : covering) {
      var added = added(evaluator, quota, usage, request);
      if (!added.isEmpty()) {
        charged.add(charge(quota, added, request));
      }
    }
    if (!request.dryRun()) {
      charged.forEach(quota -> lookup.replace(RESOURCE_QUOTAS, quota));
    }
  }

  /// The quotas that count this object. Refuses objects that such a quota cannot count.
  private static List<Tree> covering(Evaluator evaluator, Attributes request, Lookup lookup) {
    var covering = new ArrayList<Tree>();
    for (var quota : lookup.list(RESOURCE_QUOTAS, request.namespace())) {
      var counted =
          quota.treeOrEmpty("status", "hard").names().stream()
              .filter(evaluator::counts)
              .sorted()
              .toList();
      if (counted.isEmpty() || !isInScopes(evaluator, quota, request.object())) {
        continue;
      }
      var name = quota.textOrEmpty("metadata", "name");
      evaluator
          .missing(counted, request.object())
          .ifPresent(missing -> {
            throw request.forbidden("failed quota: %s: %s".formatted(name, missing));
          });
      var used = quota.treeOrEmpty("status", "used");
      if (!counted.stream().allMatch(used::has)) {
        throw request.forbidden(
            "status unknown for quota: %s, resources: %s"
                .formatted(name, String.join(",", counted)));
      }
      covering.add(quota);
    }
    return covering;
  }

  private static boolean isInScopes(Evaluator evaluator, Tree quota, Tree object) {
    return Scope.of(quota).stream().allMatch(scope -> evaluator.isIn(scope, object));
  }

  private static Map<String, Quantity> usage(Evaluator evaluator, Attributes request) {
    var usage = evaluator.usage(request.object());
    var negative =
        usage.entrySet().stream()
            .filter(entry -> entry.getValue().amount().signum() < 0)
            .map(Map.Entry::getKey)
            .toList();
    if (!negative.isEmpty()) {
      throw request.forbidden(
          "quota usage is negative for resource(s): " + String.join(",", negative));
    }
    return usage;
  }

  /// What the write adds to what this quota counts: all the object uses, or, if the quota covered
  /// it before, what it uses more.
  private static Map<String, Quantity> added(
      Evaluator evaluator, Tree quota, Map<String, Quantity> usage, Attributes request) {
    var wasCovered =
        request.is(Operation.UPDATE) && isInScopes(evaluator, quota, request.oldObject());
    var added =
        new TreeMap<>(
            wasCovered ? Amounts.minus(usage, evaluator.usage(request.oldObject())) : usage);
    added.values().removeIf(Quantity::isZero);
    return added;
  }

  /// The quota with the usage added; refuses when that is more than it allows.
  private static Tree charge(Tree quota, Map<String, Quantity> usage, Attributes request) {
    var hard = Amounts.of(quota.treeOrEmpty("status", "hard"));
    var used = Amounts.of(quota.treeOrEmpty("status", "used"));
    var requested = Amounts.only(usage, hard.keySet());
    var total = new TreeMap<>(used);
    ResourceList.add(total, requested);
    var exceeded = new ArrayList<String>();
    for (var name : requested.keySet()) {
      var sum = total.get(name);
      var limit = hard.get(name);
      if (sum != null && limit != null && sum.compareTo(limit) > 0) {
        exceeded.add(name);
      }
    }
    if (!exceeded.isEmpty()) {
      throw request.forbidden(
          "exceeded quota: %s, requested: %s, used: %s, limited: %s"
              .formatted(
                  quota.textOrEmpty("metadata", "name"),
                  Amounts.text(Amounts.only(requested, exceeded)),
                  Amounts.text(Amounts.only(used, exceeded)),
                  Amounts.text(Amounts.only(hard, exceeded))));
    }
    var charged = quota.copy();
    charged.child("status").put("used", Amounts.toTree(total));
    return charged;
  }
}
