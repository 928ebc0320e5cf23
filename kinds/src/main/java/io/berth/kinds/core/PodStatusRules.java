package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.ObjectMeta;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;

/// `pods/status`: what kubelet and scheduler write.
final class PodStatusRules implements UpdateRules {

  private static final FieldPath STATUS = FieldPath.of("status");
  private static final Set<String> SYSTEM_CONDITIONS =
      Set.of("PodScheduled", "Ready", "Initialized");

  @Override
  public void prepareForUpdate(Tree pod, Tree old, Write write) {
    Fields.keep(pod, old, "spec");
    pod.child("metadata").remove("deletionTimestamp");
    Fields.keepAt(pod, old, "metadata", "ownerReferences");
    var status = pod.child("status");
    for (var field : List.of("qosClass", "resourceClaimStatuses", "extendedResourceClaimStatus")) {
      if (status.get(field) == null) {
        Fields.keepAt(pod, old, "status", field);
      }
    }
    keepObservedGenerations(status, old.treeOrEmpty("status"));
  }

  // Clients that do not know the field must not reset it.
  private static void keepObservedGenerations(Tree status, Tree old) {
    if (status.number(0, "observedGeneration") == 0) {
      Fields.keep(status, old, "observedGeneration");
    }
    var generations = new HashMap<String, Queue<Long>>();
    for (var condition : old.trees("conditions")) {
      generations
          .computeIfAbsent(condition.textOrEmpty("type"), type -> new ArrayDeque<>())
          .add(condition.number(0, "observedGeneration"));
    }
    for (var condition : status.trees("conditions")) {
      var queue = generations.get(condition.textOrEmpty("type"));
      var before = queue == null ? null : queue.poll();
      if (condition.number(0, "observedGeneration") == 0 && before != null && before != 0) {
        condition.put("observedGeneration", before);
      }
    }
  }

  @Override
  public void validateUpdate(Tree pod, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(pod, old, errors);
    PodAnnotations.validateUpdate(pod, old, ObjectMeta.PATH.child("annotations"), errors);
    conditions(pod.trees("status", "conditions"), errors);
    nominatedNode(pod, old, errors);
    if (pod.number(0, "status", "observedGeneration") < 0) {
      errors.invalid(
          STATUS.child("observedGeneration"),
          pod.number(0, "status", "observedGeneration"),
          "must be a non-negative integer");
    }
    Checks.immutable(
        STATUS.child("qosClass"),
        pod.textOrEmpty("status", "qosClass"),
        old.textOrEmpty("status", "qosClass"),
        errors);
    var spec = old.treeOrEmpty("spec");
    transitions(pod, old, "containerStatuses", spec.trees("containers"), errors);
    transitions(pod, old, "initContainerStatuses", spec.trees("initContainers"), errors);
    transitions(pod, old, "ephemeralContainerStatuses", List.of(), errors);
    resourceClaims(pod, errors);
    addresses(pod, old, "podIP", "podIPs", errors);
    addresses(pod, old, "hostIP", "hostIPs", errors);
  }

  private static void conditions(List<Tree> conditions, FieldErrors errors) {
    for (int i = 0; i < conditions.size(); i++) {
      var path = STATUS.child("conditions").index(i);
      long generation = conditions.get(i).number(0, "observedGeneration");
      if (generation < 0) {
        errors.invalid(
            path.child("observedGeneration"), generation, "must be a non-negative integer");
      }
      var type = conditions.get(i).textOrEmpty("type");
      if (!SYSTEM_CONDITIONS.contains(type)) {
        Checks.qualifiedName(path.child("Type"), type, errors);
      }
    }
  }

  private static void nominatedNode(Tree pod, Tree old, FieldErrors errors) {
    var path = STATUS.child("nominatedNodeName");
    var node = pod.textOrEmpty("status", "nominatedNodeName");
    if (node.isEmpty() || node.equals(old.textOrEmpty("status", "nominatedNodeName"))) {
      return;
    }
    Checks.dnsSubdomain(path, node, errors);
    if (!old.textOrEmpty("spec", "nodeName").isEmpty()) {
      errors.forbidden(path, "may not be set on pods that are already bound to a node");
    }
  }

  /// A container that has ended stays so unless it may be started again.
  private static void transitions(
      Tree pod, Tree old, String list, List<Tree> containers, FieldErrors errors) {
    if (!list.startsWith("ephemeral") && ContainerRestarts.mayRestartAll(old.treeOrEmpty("spec"))) {
      return;
    }
    var before = old.trees("status", list);
    for (int i = 0; i < before.size(); i++) {
      var name = before.get(i).textOrEmpty("name");
      if (before.get(i).at("state", "terminated") == null || !isRunningAgain(pod, list, name)) {
        continue;
      }
      long exitCode = before.get(i).number(0, "state", "terminated", "exitCode");
      boolean allowed =
          containers.stream()
              .filter(container -> container.textOrEmpty("name").equals(name))
              .findFirst()
              .map(each -> ContainerRestarts.mayRestart(each, old.treeOrEmpty("spec"), exitCode))
              .orElse(false);
      if (!allowed) {
        errors.forbidden(
            STATUS.child(list).index(i).child("state"),
            "may not be transitioned to non-terminated state");
      }
    }
  }

  private static boolean isRunningAgain(Tree pod, String list, String name) {
    for (var status : pod.trees("status", list)) {
      if (status.textOrEmpty("name").equals(name)) {
        return status.at("state", "terminated") == null;
      }
    }
    return false;
  }

  private static void resourceClaims(Tree pod, FieldErrors errors) {
    var known = new HashSet<String>();
    pod.trees("spec", "resourceClaims").forEach(claim -> known.add(claim.textOrEmpty("name")));
    var seen = new HashSet<String>();
    var statuses = pod.trees("status", "resourceClaimStatuses");
    for (int i = 0; i < statuses.size(); i++) {
      var path = STATUS.child("resourceClaimStatuses").index(i);
      var name = statuses.get(i).textOrEmpty("name");
      if (!known.contains(name)) {
        errors.invalid(
            path.child("name"), name, "must match the name of an entry in `spec.resourceClaims`");
      }
      if (!seen.add(name)) {
        errors.duplicate(path.child("name"), name);
      }
      if (statuses.get(i).get("resourceClaimName") instanceof String claim) {
        Checks.dnsSubdomain(path.child("resourceClaimName"), claim, errors);
      }
    }
  }

  private static void addresses(Tree pod, Tree old, String one, String many, FieldErrors errors) {
    var path = STATUS.child(many);
    var addresses = ips(pod, many);
    var single = pod.textOrEmpty("status", one);
    if (one.equals("hostIP")) {
      if (addresses.isEmpty()) {
        return;
      }
      if (!Objects.equals(single, addresses.getFirst())) {
        errors.invalid(
            path.index(0).child("ip"), addresses.getFirst(), "must be equal to `hostIP`");
      }
    }
    var stored = ips(old, many);
    for (int i = 0; i < addresses.size(); i++) {
      IpAddresses.validate(path.index(i), addresses.get(i), stored, errors);
    }
    boolean dual =
        addresses.size() == 2
            && IpAddresses.is6(addresses.get(0)) != IpAddresses.is6(addresses.get(1));
    if (addresses.size() > 1 && !dual) {
      errors.invalid(
          path,
          addresses.stream().map(ip -> Tree.of("IP", ip)).toList(),
          "may specify no more than one IP for each IP family");
    }
    if (one.equals("podIP") && !addresses.isEmpty() && !single.equals(addresses.getFirst())) {
      errors.invalid(path.index(0).child("ip"), addresses.getFirst(), "must be equal to `podIP`");
    }
  }

  private static List<String> ips(Tree pod, String list) {
    return pod.trees("status", list).stream().map(each -> each.textOrEmpty("ip")).toList();
  }
}
