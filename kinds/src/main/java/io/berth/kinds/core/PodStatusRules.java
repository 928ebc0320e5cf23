package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/// `pods/status`: what kubelet and scheduler write.
///
/// Mirrors: registry/core/pod.podStatusStrategy, core/validation.ValidatePodStatusUpdate
final class PodStatusRules implements UpdateRules {

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
  public void validateUpdate(Cursor pod, Tree old) {
    ObjectMeta.validateUpdate(pod, old);
    PodAnnotations.validateUpdate(pod, old);
    var status = pod.at("status");
    status.each("conditions", PodStatusRules::condition);
    nominatedNode(status.at("nominatedNodeName").ifFilled(), old);
    nonNegative(status.at("observedGeneration"));
    var qosClass = status.at("qosClass");
    qosClass.with(qosClass.text()).immutable(old.textOrEmpty("status", "qosClass"));
    var spec = old.treeOrEmpty("spec");
    transitions(status.at("containerStatuses"), old, spec.trees("containers"));
    transitions(status.at("initContainerStatuses"), old, spec.trees("initContainers"));
    transitions(status.at("ephemeralContainerStatuses"), old, List.of());
    resourceClaims(pod);
    addresses(status, old, "podIP", "podIPs");
    addresses(status, old, "hostIP", "hostIPs");
  }

  private static void condition(Cursor condition) {
    nonNegative(condition.at("observedGeneration"));
    var type = condition.text("type");
    if (!SYSTEM_CONDITIONS.contains(type)) {
      condition.at("Type").with(type).follows(Names::qualifiedName);
    }
  }

  private static void nonNegative(Cursor generation) {
    if (generation.number() < 0) {
      generation.invalid("must be a non-negative integer");
    }
  }

  private static void nominatedNode(Cursor node, Tree old) {
    if (node.is(old.textOrEmpty("status", "nominatedNodeName"))) {
      return;
    }
    node.follows(Names::dnsSubdomain);
    if (!old.textOrEmpty("spec", "nodeName").isEmpty()) {
      node.forbidden("may not be set on pods that are already bound to a node");
    }
  }

  /// A container that has ended stays so unless it may be started again.
  private static void transitions(Cursor statuses, Tree old, List<Tree> containers) {
    var list = statuses.name();
    if (!list.startsWith("ephemeral") && ContainerRestarts.mayRestartAll(old.treeOrEmpty("spec"))) {
      return;
    }
    var before = old.trees("status", list);
    for (int i = 0; i < before.size(); i++) {
      var name = before.get(i).textOrEmpty("name");
      if (before.get(i).at("state", "terminated") == null || !isRunningAgain(statuses, name)) {
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
        statuses
            .element(i)
            .at("state")
            .forbidden("may not be transitioned to non-terminated state");
      }
    }
  }

  private static boolean isRunningAgain(Cursor statuses, String name) {
    for (var status : statuses.each()) {
      if (status.text("name").equals(name)) {
        return !status.at("state", "terminated").isSet();
      }
    }
    return false;
  }

  private static void resourceClaims(Cursor pod) {
    var known = new HashSet<String>();
    pod.at("spec").each("resourceClaims", claim -> known.add(claim.text("name")));
    var seen = new HashSet<String>();
    for (var status : pod.at("status").each("resourceClaimStatuses")) {
      var name = status.at("name");
      if (!known.contains(name.text())) {
        name.invalidText("must match the name of an entry in `spec.resourceClaims`");
      }
      name.unique(seen);
      status.at("resourceClaimName").ifSet().follows(Names::dnsSubdomain);
    }
  }

  private static void addresses(Cursor status, Tree old, String one, String many) {
    var list = status.at(many);
    var addresses = ips(status.tree(), many);
    if (addresses.isEmpty()) {
      return;
    }
    var first = list.element(0).at("ip");
    boolean same = status.text(one).equals(addresses.getFirst());
    if (one.equals("hostIP") && !same) {
      first.invalidText("must be equal to `hostIP`");
    }
    var stored = ips(old.treeOrEmpty("status"), many);
    for (int i = 0; i < addresses.size(); i++) {
      IpAddresses.validate(list.element(i).with(addresses.get(i)), stored);
    }
    boolean dual =
        addresses.size() == 2
            && IpAddresses.is6(addresses.get(0)) != IpAddresses.is6(addresses.get(1));
    if (addresses.size() > 1 && !dual) {
      list.invalid(
          addresses.stream().map(ip -> Tree.of("IP", ip)).toList(),
          "may specify no more than one IP for each IP family");
    }
    if (one.equals("podIP") && !same) {
      first.invalidText("must be equal to `podIP`");
    }
  }

  private static List<String> ips(Tree status, String list) {
    return status.trees(list).stream().map(each -> each.textOrEmpty("ip")).toList();
  }
}
