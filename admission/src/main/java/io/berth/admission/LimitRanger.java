package io.berth.admission;

import static io.berth.api.Resource.LIMIT_RANGES;
import static io.berth.api.Resource.PERSISTENT_VOLUME_CLAIMS;
import static io.berth.api.Resource.PODS;

import io.berth.admission.quota.Amounts;
import io.berth.api.PodResources;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Fills in the default requests and limits of a namespace, and keeps containers, pods and claims
/// within its ranges.
///
/// Mirrors: plugin/pkg/admission/limitranger.LimitRanger
final class LimitRanger implements AdmissionPlugin {

  private static final String ANNOTATION = "kubernetes.io/limit-ranger";

  @Override
  public String name() {
    return "LimitRanger";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!applies(request) || !request.isOn(PODS)) {
      return;
    }
    for (var range : lookup.list(LIMIT_RANGES, request.namespace())) {
      fillIn(request.object(), range);
    }
  }

  /// As in Kubernetes, updates of pods are left alone, because they cannot change resources; only a
  /// resize can.
  private static boolean applies(Attributes request) {
    if (request.hasOldObject() && request.oldObject().at("metadata", "deletionTimestamp") != null) {
      return false;
    }
    if (request.is(Operation.UPDATE)) {
      return request.isFor(PODS, "resize") || request.isFor(PERSISTENT_VOLUME_CLAIMS);
    }
    return request.is(Operation.CREATE)
        && (request.isFor(PODS) || request.isFor(PERSISTENT_VOLUME_CLAIMS));
  }

  private static void fillIn(Tree pod, Tree range) {
    var requests = new TreeMap<String, String>();
    var limits = new TreeMap<String, String>();
    for (var limit : range.trees("spec", "limits")) {
      if (limit.textOrEmpty("type").equals("Container")) {
        requests.putAll(limit.texts("defaultRequest"));
        limits.putAll(limit.texts("default"));
      }
    }
    var said = new ArrayList<String>();
    for (var container : pod.trees("spec", "containers")) {
      fillIn(container, requests, limits, "container", said);
    }
    for (var container : pod.trees("spec", "initContainers")) {
      fillIn(container, requests, limits, "init container", said);
    }
    if (!said.isEmpty()) {
      pod.putAt(
          "LimitRanger plugin set: " + String.join("; ", said),
          "metadata",
          "annotations",
          ANNOTATION);
    }
  }

  private static void fillIn(
      Tree container,
      Map<String, String> requests,
      Map<String, String> limits,
      String what,
      List<String> said) {
    var name = container.textOrEmpty("name");
    var setRequests = fillIn(container, "requests", requests);
    var setLimits = fillIn(container, "limits", limits);
    if (!setRequests.isEmpty()) {
      said.add("%s request for %s %s".formatted(String.join(", ", setRequests), what, name));
    }
    if (!setLimits.isEmpty()) {
      said.add("%s limit for %s %s".formatted(String.join(", ", setLimits), what, name));
    }
  }

  private static Set<String> fillIn(Tree container, String side, Map<String, String> defaults) {
    var set = new TreeSet<>(defaults.keySet());
    set.removeAll(container.treeOrEmpty("resources", side).names());
    for (var resource : set) {
      container.child("resources").child(side).put(resource, defaults.get(resource));
    }
    return set;
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (!applies(request)) {
      return;
    }
    for (var range : lookup.list(LIMIT_RANGES, request.namespace())) {
      var objections = new LinkedHashSet<String>();
      for (var limit : range.trees("spec", "limits")) {
        if (request.isOn(PODS)) {
          checkPod(limit, request.object(), objections);
        } else {
          checkClaim(limit, request.object(), objections);
        }
      }
      if (!objections.isEmpty()) {
        throw request.forbidden(aggregate(objections));
      }
    }
  }

  private static String aggregate(SequencedSet<String> objections) {
    return objections.size() == 1
        ? objections.getFirst()
        : "[" + String.join(", ", objections) + "]";
  }

  private static void checkPod(Tree limit, Tree pod, SequencedSet<String> objections) {
    var type = limit.textOrEmpty("type");
    if (type.equals("Container")) {
      for (var list : List.of("containers", "initContainers")) {
        for (var container : pod.trees("spec", list)) {
          new Range(type, limit)
              .check(
                  Amounts.of(container.treeOrEmpty("resources", "requests")),
                  Amounts.of(container.treeOrEmpty("resources", "limits")),
                  objections);
        }
      }
    } else if (type.equals("Pod")) {
      new Range(type, limit)
          .check(
              PodResources.requests(pod.treeOrEmpty("spec")),
              PodResources.limits(pod.treeOrEmpty("spec")),
              objections);
    }
  }

  private static void checkClaim(Tree limit, Tree claim, SequencedSet<String> objections) {
    if (limit.textOrEmpty("type").equals("PersistentVolumeClaim")) {
      new Range("PersistentVolumeClaim", limit)
          .checkRequests(
              Amounts.of(claim.treeOrEmpty("spec", "resources", "requests")), objections);
    }
  }

  /// One item of a limit range.
  private record Range(String type, Tree limit) {

    void check(
        Map<String, Quantity> requests,
        Map<String, Quantity> limits,
        SequencedSet<String> objections) {
      checkMinimum(requests, limits, objections);
      Amounts.of(limit.treeOrEmpty("max"))
          .forEach((name, most) -> {
            var is = "maximum %s usage per %s is %s".formatted(name, type, most);
            var limited = limits.get(name);
            var request = requests.get(name);
            if (limited == null) {
              objections.add(is + ".  No limit is specified");
            } else if (limited.compareTo(most) > 0) {
              objections.add(is + ", but limit is " + limited);
            } else if (request != null && request.compareTo(most) > 0) {
              objections.add(is + ", but request is " + request);
            }
          });
      Amounts.of(limit.treeOrEmpty("maxLimitRequestRatio"))
          .forEach((name, ratio) -> checkRatio(name, ratio, requests, limits, objections));
    }

    private void checkMinimum(
        Map<String, Quantity> requests,
        Map<String, Quantity> limits,
        SequencedSet<String> objections) {
      Amounts.of(limit.treeOrEmpty("min"))
          .forEach((name, least) -> {
            var is = "minimum %s usage per %s is %s".formatted(name, type, least);
            var limited = limits.get(name);
            var request = requests.get(name);
            if (request == null) {
              objections.add(is + ".  No request is specified");
            } else if (request.compareTo(least) < 0) {
              objections.add(is + ", but request is " + request);
            } else if (limited != null && limited.compareTo(least) < 0) {
              objections.add(is + ", but limit is " + limited);
            }
          });
    }

    private void checkRatio(
        String name,
        Quantity allowed,
        Map<String, Quantity> requests,
        Map<String, Quantity> limits,
        SequencedSet<String> objections) {
      var is = "%s max limit to request ratio per %s is %s".formatted(name, type, allowed);
      var request = requests.getOrDefault(name, Quantity.ZERO);
      var limited = limits.getOrDefault(name, Quantity.ZERO);
      if (request.isZero()) {
        objections.add(is + ", but no request is specified or request is 0");
      } else if (limited.isZero()) {
        objections.add(is + ", but no limit is specified or limit is 0");
      } else {
        double ratio = limited.amount().doubleValue() / request.amount().doubleValue();
        if (ratio > allowed.amount().doubleValue()) {
          objections.add("%s, but provided ratio is %f".formatted(is, ratio));
        }
      }
    }

    void checkRequests(Map<String, Quantity> requests, SequencedSet<String> objections) {
      checkMinimum(requests, Map.of(), objections);
      Amounts.of(limit.treeOrEmpty("max"))
          .forEach((name, most) -> {
            var is = "maximum %s usage per %s is %s".formatted(name, type, most);
            var request = requests.get(name);
            if (request == null) {
              objections.add(is + ".  No request is specified");
            } else if (request.compareTo(most) > 0) {
              objections.add(is + ", but request is " + request);
            }
          });
    }
  }
}
