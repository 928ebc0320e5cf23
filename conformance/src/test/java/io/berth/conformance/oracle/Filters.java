package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The filter plugins, each as one method from a pod and a situation to a rejection or `null`.
final class Filters {

  private final OraclePod pod;
  private final Map<String, Long> requests;
  private final List<String> resources;
  private final @Nullable List<NodeTerm> addedTerms;

  Filters(OraclePod pod, Profile profile) {
    this.pod = pod;
    this.requests = new Requests(pod.tree).incoming();
    this.resources = requestedInOrder(profile.args("NodeResourcesFit"));
    this.addedTerms =
        NodeTerm.terms(
            profile
                .args("NodeAffinity")
                .tree("addedAffinity", "requiredDuringSchedulingIgnoredDuringExecution"));
  }

  @Nullable Rejection ask(String plugin, FilterState state, Situation at) {
    if (state.skipped.contains(plugin)) {
      return null;
    }
    return switch (plugin) {
      case "NodeUnschedulable" -> nodeUnschedulable(at.node());
      case "TaintToleration" -> taintToleration(at.node());
      case "NodeAffinity" -> nodeAffinity(at.node());
      case "NodePorts" -> nodePorts(at);
      case "NodeResourcesFit" -> nodeResourcesFit(at);
      case "VolumeRestrictions" -> volumeRestrictions(at);
      case "PodTopologySpread" -> podTopologySpread(state, at.node());
      case "InterPodAffinity" -> interPodAffinity(state, at.node());
      default -> null;
    };
  }

  private @Nullable Rejection nodeUnschedulable(OracleNode node) {
    var taint = new OracleNode.Taint("node.kubernetes.io/unschedulable", "", "NoSchedule");
    return !node.unschedulable() || pod.tolerates(taint)
        ? null
        : Rejection.unresolvable("NodeUnschedulable", "node(s) were unschedulable");
  }

  private @Nullable Rejection taintToleration(OracleNode node) {
    return pod.toleratesAll(node)
        ? null
        : Rejection.unresolvable("TaintToleration", "node(s) had untolerated taint(s)");
  }

  private @Nullable Rejection nodeAffinity(OracleNode node) {
    if (!NodeTerm.matches(addedTerms, node)) {
      return Rejection.unresolvable(
          "NodeAffinity", "node(s) didn't match scheduler-enforced node affinity");
    }
    return pod.wants(node)
        ? null
        : Rejection.unresolvable(
            "NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
  }

  private @Nullable Rejection nodePorts(Situation at) {
    for (var wanted : pod.hostPorts) {
      for (var other : at.pods()) {
        if (other.hostPorts.stream().anyMatch(wanted::conflicts)) {
          return Rejection.unschedulable(
              "NodePorts", "node(s) didn't have free ports for the requested pod ports");
        }
      }
    }
    return null;
  }

  private @Nullable Rejection nodeResourcesFit(Situation at) {
    var reasons = new ArrayList<String>();
    boolean unresolvable = false;
    if (at.pods().size() + 1 > at.node().allocatable("pods")) {
      reasons.add("Too many pods");
    }
    for (var resource : resources) {
      long wanted = requests.getOrDefault(resource, 0L);
      long allocatable = at.node().allocatable(resource);
      if (wanted > 0 && wanted > allocatable - at.requested(resource)) {
        reasons.add("Insufficient " + resource);
        unresolvable |= wanted > allocatable;
      }
    }
    return reasons.isEmpty() ? null : new Rejection("NodeResourcesFit", unresolvable, reasons);
  }

  private List<String> requestedInOrder(Tree args) {
    var ignored = Profile.texts(args.list("ignoredResources"));
    var ignoredGroups = Profile.texts(args.list("ignoredResourceGroups"));
    var order = new ArrayList<>(List.of("cpu", "memory", "ephemeral-storage"));
    for (var name : new TreeMap<>(requests).keySet()) {
      boolean skip =
          Requests.isExtended(name)
              && (ignored.contains(name) || ignoredGroups.contains(name.split("/", -1)[0]));
      if (Requests.isScalar(name) && !skip) {
        order.add(name);
      }
    }
    return order;
  }

  private @Nullable Rejection volumeRestrictions(Situation at) {
    for (var volume : pod.tree.trees("spec", "volumes")) {
      for (var other : at.pods()) {
        for (var existing : other.tree.trees("spec", "volumes")) {
          if (conflicts(volume, existing)) {
            return Rejection.unschedulable("VolumeRestrictions", "node(s) had no available disk");
          }
        }
      }
    }
    return null;
  }

  private static boolean conflicts(Tree volume, Tree existing) {
    return exclusive(volume, existing, "gcePersistentDisk", "pdName")
        || shared(volume, existing, "awsElasticBlockStore", "volumeID")
        || exclusive(volume, existing, "iscsi", "iqn")
        || (sharedRbd(volume.tree("rbd"), existing.tree("rbd"))
            && !bothReadOnly(volume, existing, "rbd"));
  }

  /// The same disk, and somebody writes.
  private static boolean exclusive(Tree volume, Tree existing, String kind, String id) {
    return shared(volume, existing, kind, id) && !bothReadOnly(volume, existing, kind);
  }

  private static boolean shared(Tree volume, Tree existing, String kind, String id) {
    return volume.has(kind)
        && existing.has(kind)
        && volume.textOrEmpty(kind, id).equals(existing.textOrEmpty(kind, id));
  }

  private static boolean sharedRbd(@Nullable Tree volume, @Nullable Tree existing) {
    return volume != null
        && existing != null
        && volume.textOrEmpty("pool").equals(existing.textOrEmpty("pool"))
        && volume.textOrEmpty("image").equals(existing.textOrEmpty("image"))
        && volume.list("monitors").stream().anyMatch(existing.list("monitors")::contains);
  }

  private static boolean bothReadOnly(Tree volume, Tree existing, String kind) {
    return volume.flag(kind, "readOnly") && existing.flag(kind, "readOnly");
  }

  private @Nullable Rejection podTopologySpread(FilterState state, OracleNode node) {
    for (int i = 0; i < state.constraints.size(); i++) {
      var constraint = state.constraints.get(i);
      var counts = state.spreadCounts.get(i);
      var value = node.labels().get(constraint.key());
      if (value == null) {
        return Rejection.unresolvable(
            "PodTopologySpread",
            "node(s) didn't match pod topology spread constraints (missing required label)");
      }
      long min =
          counts.size() < constraint.minDomains()
              ? 0
              : counts.values().stream().mapToLong(each -> each).min().orElse(0);
      long self = constraint.selector().matches(pod.labels) ? 1 : 0;
      if (counts.getOrDefault(value, 0L) + self - min > constraint.maxSkew()) {
        return Rejection.unschedulable(
            "PodTopologySpread", "node(s) didn't match pod topology spread constraints");
      }
    }
    return null;
  }

  private @Nullable Rejection interPodAffinity(FilterState state, OracleNode node) {
    if (!affinityHolds(state, node)) {
      return Rejection.unresolvable("InterPodAffinity", "node(s) didn't match pod affinity rules");
    }
    for (var term : pod.requiredAntiAffinity) {
      var value = node.labels().get(term.topologyKey());
      if (value != null && counted(state.antiAffinity, term.topologyKey(), value)) {
        return Rejection.unschedulable(
            "InterPodAffinity", "node(s) didn't match pod anti-affinity rules");
      }
    }
    for (var label : node.labels().entrySet()) {
      if (counted(state.existingAntiAffinity, label.getKey(), label.getValue())) {
        return Rejection.unschedulable(
            "InterPodAffinity", "node(s) didn't satisfy existing pods anti-affinity rules");
      }
    }
    return null;
  }

  private boolean affinityHolds(FilterState state, OracleNode node) {
    boolean everywhere = true;
    for (var term : pod.requiredAffinity) {
      var value = node.labels().get(term.topologyKey());
      if (value == null) {
        return false;
      }
      everywhere &= counted(state.affinity, term.topologyKey(), value);
    }
    return everywhere || (state.affinity.isEmpty() && state.matchesAll(pod));
  }

  private static boolean counted(Map<FilterState.Pair, Long> counts, String key, String value) {
    return counts.getOrDefault(new FilterState.Pair(key, value), 0L) > 0;
  }
}
