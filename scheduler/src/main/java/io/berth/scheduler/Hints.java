package io.berth.scheduler;

import static io.berth.scheduler.ClusterEvent.Kind.*;

import io.berth.api.LabelSelector;
import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.PodAffinityTerm;
import io.berth.api.PodGroup;
import io.berth.api.Taint;
import io.berth.api.TopologySpreadConstraint;
import io.berth.scheduler.ClusterEvent.Kind;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Which event can help a pod that a plugin rejected. As in Kubernetes, with its tables of events
/// and its conditions per plugin; a plugin that is not listed is woken by everything.
final class Hints {

  private static final Taint UNSCHEDULABLE =
      new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);

  private static final Map<String, Set<Kind>> WATCHES =
      Map.ofEntries(
          Map.entry("NodeName", EnumSet.of(NODE_ADD)),
          Map.entry(
              "NodeUnschedulable",
              EnumSet.of(NODE_ADD, NODE_UPDATE_TAINT, TARGET_POD_UPDATE_TOLERATION)),
          Map.entry(
              "TaintToleration",
              EnumSet.of(NODE_ADD, NODE_UPDATE_TAINT, TARGET_POD_UPDATE_TOLERATION)),
          Map.entry("NodeAffinity", EnumSet.of(NODE_ADD, NODE_UPDATE_LABEL)),
          Map.entry("NodePorts", EnumSet.of(ASSIGNED_POD_DELETE, NODE_ADD)),
          Map.entry(
              "NodeResourcesFit",
              EnumSet.of(
                  ASSIGNED_POD_DELETE,
                  ASSIGNED_POD_SCALE_DOWN,
                  TARGET_POD_SCALE_DOWN,
                  NODE_ADD,
                  NODE_UPDATE_ALLOCATABLE)),
          Map.entry(
              "PodTopologySpread",
              EnumSet.of(
                  ASSIGNED_POD_ADD,
                  ASSIGNED_POD_UPDATE_LABEL,
                  ASSIGNED_POD_DELETE,
                  TARGET_POD_UPDATE_TOLERATION,
                  TARGET_POD_UPDATE_LABEL,
                  NODE_ADD,
                  NODE_DELETE,
                  NODE_UPDATE_LABEL,
                  NODE_UPDATE_TAINT)),
          Map.entry(
              "InterPodAffinity",
              EnumSet.of(
                  ASSIGNED_POD_ADD,
                  ASSIGNED_POD_UPDATE_LABEL,
                  ASSIGNED_POD_DELETE,
                  TARGET_POD_UPDATE_LABEL,
                  NAMESPACE_UPDATE,
                  NODE_ADD,
                  NODE_UPDATE_LABEL)),
          Map.entry(
              "VolumeRestrictions",
              EnumSet.of(ASSIGNED_POD_DELETE, NODE_ADD, PERSISTENT_VOLUME_CLAIM_ADD)),
          Map.entry(
              "NodeVolumeLimits",
              EnumSet.of(
                  CSI_NODE_ADD,
                  CSI_NODE_UPDATE,
                  CSI_DRIVER_UPDATE,
                  VOLUME_ATTACHMENT_DELETE,
                  ASSIGNED_POD_DELETE,
                  PERSISTENT_VOLUME_CLAIM_ADD)),
          Map.entry(
              "VolumeBinding",
              EnumSet.of(
                  STORAGE_CLASS_ADD,
                  STORAGE_CLASS_UPDATE,
                  PERSISTENT_VOLUME_CLAIM_ADD,
                  PERSISTENT_VOLUME_CLAIM_UPDATE,
                  PERSISTENT_VOLUME_ADD,
                  PERSISTENT_VOLUME_UPDATE,
                  NODE_ADD,
                  NODE_UPDATE_LABEL,
                  CSI_NODE_ADD,
                  CSI_NODE_UPDATE,
                  CSI_DRIVER_UPDATE,
                  CSI_STORAGE_CAPACITY_ADD,
                  CSI_STORAGE_CAPACITY_UPDATE)),
          Map.entry(
              "VolumeZone",
              EnumSet.of(
                  STORAGE_CLASS_ADD,
                  PERSISTENT_VOLUME_CLAIM_ADD,
                  PERSISTENT_VOLUME_CLAIM_UPDATE,
                  PERSISTENT_VOLUME_ADD,
                  PERSISTENT_VOLUME_UPDATE,
                  NODE_ADD,
                  NODE_UPDATE_LABEL)),
          Map.entry(
              "NodeDeclaredFeatures",
              EnumSet.of(NODE_ADD, NODE_UPDATE_FEATURES, TARGET_POD_UPDATE)),
          Map.entry(
              "GangScheduling",
              EnumSet.of(UNSCHEDULED_POD_ADD, ASSIGNED_POD_ADD, POD_GROUP_ADD, POD_GROUP_UPDATE)),
          Map.entry("DefaultPreemption", EnumSet.noneOf(Kind.class)));

  private final Function<String, Map<String, String>> namespaceLabels;
  private final VolumeHints volumes;

  /// `namespaceLabels` answers with the labels of a namespace, empty when it is unknown.
  Hints(Function<String, Map<String, String>> namespaceLabels, Storage storage) {
    this.namespaceLabels = namespaceLabels;
    this.volumes = new VolumeHints(storage);
  }

  /// Whether events of this kind may end rejections by this plugin at all.
  boolean watches(String plugin, Kind kind) {
    var kinds = WATCHES.get(plugin);
    return kinds == null || kinds.contains(kind) || kind == WILDCARD;
  }

  /// Whether this event may turn this plugin's rejection of this pod around.
  boolean helps(String plugin, Pod pod, ClusterEvent event) {
    return switch (plugin) {
      case "NodeName" -> true;
      case "NodeUnschedulable" -> unschedulableHelps(pod, event);
      case "TaintToleration" -> taintHelps(pod, event);
      case "NodeAffinity" -> nodeAffinityHelps(pod, event);
      case "NodePorts" -> event.kind() == NODE_ADD || freedPort(pod, event.pod());
      case "NodeResourcesFit" -> resourcesHelp(pod, event);
      case "PodTopologySpread" -> spreadHelps(pod, event);
      case "InterPodAffinity" -> podAffinityHelps(pod, event);
      case "VolumeRestrictions" -> volumes.restrictions(pod, event);
      case "NodeVolumeLimits" -> volumes.limits(pod, event);
      case "VolumeBinding" -> volumes.binding(pod, event);
      case "VolumeZone" -> volumes.zone(pod, event);
      case "NodeDeclaredFeatures" -> true;
      case "GangScheduling" -> joins(pod, event);
      case "DefaultPreemption" -> false;
      default -> true;
    };
  }

  private static boolean joins(Pod pod, ClusterEvent event) {
    if (pod.group() == null) {
      return false;
    }
    var group = PodGroups.keyOf(pod);
    return event.object() instanceof PodGroup changed
        ? changed.key().equals(group)
        : event.pod().group() != null && PodGroups.keyOf(event.pod()).equals(group);
  }

  private static boolean unschedulableHelps(Pod pod, ClusterEvent event) {
    if (event.kind() == TARGET_POD_UPDATE_TOLERATION) {
      return pod.spec().tolerates(UNSCHEDULABLE);
    }
    var before = event.oldNode();
    return !event.node().unschedulable() && (before == null || before.unschedulable());
  }

  private static boolean taintHelps(Pod pod, ClusterEvent event) {
    if (event.kind() == TARGET_POD_UPDATE_TOLERATION) {
      return true;
    }
    var before = event.oldNode();
    return !Changes.isKeptOff(pod, event.node())
        && (before == null || Changes.isKeptOff(pod, before));
  }

  private static boolean nodeAffinityHelps(Pod pod, ClusterEvent event) {
    var before = event.oldNode();
    return NodeMatch.matches(pod, event.node())
        && (before == null || !NodeMatch.matches(pod, before));
  }

  private static boolean freedPort(Pod pod, Pod deleted) {
    if (!wasSomewhere(deleted)) {
      return false;
    }
    for (var held : Requests.ports(deleted)) {
      for (var wanted : Requests.ports(pod)) {
        if (held.hostPort() == wanted.hostPort()
            && held.protocol().equals(wanted.protocol())
            && (isAny(held.hostIp())
                || isAny(wanted.hostIp())
                || held.hostIp().equals(wanted.hostIp()))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isAny(String address) {
    return address.isEmpty() || address.equals("0.0.0.0");
  }

  private static boolean resourcesHelp(Pod pod, ClusterEvent event) {
    return switch (event.kind()) {
      case ASSIGNED_POD_DELETE -> wasSomewhere(event.pod());
      case ASSIGNED_POD_SCALE_DOWN ->
          event.oldPod() != null && Requests.shrankFor(pod, event.oldPod(), event.pod());
      case NODE_ADD -> Requests.fitEmpty(pod, event.node().allocatable());
      case NODE_UPDATE_ALLOCATABLE ->
          event.oldNode() != null
              && Requests.fitEmpty(pod, event.node().allocatable())
              && Requests.grewFor(pod, event.oldNode().allocatable(), event.node().allocatable());
      default -> true;
    };
  }

  private static boolean wasSomewhere(Pod pod) {
    return !pod.nodeName().isEmpty() || !pod.status().nominatedNodeName().isEmpty();
  }

  private static boolean spreadHelps(Pod pod, ClusterEvent event) {
    var hard =
        pod.spec().topologySpreadConstraints().stream()
            .filter(TopologySpreadConstraint::isHard)
            .toList();
    return switch (event.kind()) {
      case ASSIGNED_POD_ADD, ASSIGNED_POD_DELETE ->
          event.pod().namespace().equals(pod.namespace())
              && wasSomewhere(event.pod())
              && hard.stream().anyMatch(c -> selects(c.labelSelector(), event.pod()));
      case ASSIGNED_POD_UPDATE_LABEL ->
          event.pod().namespace().equals(pod.namespace())
              && event.oldPod() != null
              && hard.stream()
                  .anyMatch(c ->
                      selects(c.labelSelector(), event.oldPod())
                          != selects(c.labelSelector(), event.pod()));
      case TARGET_POD_UPDATE_TOLERATION ->
          hard.stream().anyMatch(TopologySpreadConstraint::honorNodeTaints);
      case TARGET_POD_UPDATE_LABEL ->
          event.oldPod() == null
              || hard.stream()
                  .anyMatch(c ->
                      selects(c.labelSelector(), event.oldPod())
                          != selects(c.labelSelector(), event.pod()));
      default -> topologyChanged(hard, event);
    };
  }

  private static boolean topologyChanged(List<TopologySpreadConstraint> hard, ClusterEvent event) {
    var after = event.newNode();
    var before = event.oldNode();
    boolean hadAll = before != null && hasAllKeys(hard, before);
    boolean hasAll = after != null && hasAllKeys(hard, after);
    if (before == null || after == null || hadAll != hasAll) {
      return hadAll || hasAll;
    }
    return hasAll
        && (event.kind() == NODE_UPDATE_TAINT
            || hard.stream()
                .anyMatch(c ->
                    !String.valueOf(before.labels().get(c.topologyKey()))
                        .equals(after.labels().get(c.topologyKey()))));
  }

  private static boolean hasAllKeys(List<TopologySpreadConstraint> hard, Node node) {
    return hard.stream().allMatch(c -> node.labels().containsKey(c.topologyKey()));
  }

  private static boolean selects(
      @org.jspecify.annotations.Nullable LabelSelector selector, Pod pod) {
    return selector != null && selector.matches(pod.labels());
  }

  private boolean podAffinityHelps(Pod pod, ClusterEvent event) {
    var affinity = pod.spec().podAffinity().required();
    var anti = pod.spec().podAntiAffinity().required();
    return switch (event.kind()) {
      case ASSIGNED_POD_ADD -> !affinity.isEmpty() && matchesAll(affinity, pod, event.pod());
      case ASSIGNED_POD_UPDATE_LABEL -> {
        var before = event.oldPod();
        yield before == null
            || (!affinity.isEmpty()
                && !matchesAll(affinity, pod, before)
                && matchesAll(affinity, pod, event.pod()))
            || (matchesAny(anti, pod, before) && !matchesAny(anti, pod, event.pod()));
      }
      case ASSIGNED_POD_DELETE ->
          matchesAny(anti, pod, event.pod())
              || matchesAny(event.pod().spec().podAntiAffinity().required(), event.pod(), pod);
      case NODE_ADD, NODE_UPDATE_LABEL -> nodeChangesTerms(affinity, anti, event);
      case NAMESPACE_UPDATE ->
          (affinity.isEmpty() && anti.isEmpty())
              || affinity.stream().anyMatch(term -> term.namespaceSelector() != null)
              || anti.stream().anyMatch(term -> term.namespaceSelector() != null);
      default -> true;
    };
  }

  private static boolean nodeChangesTerms(
      List<PodAffinityTerm> affinity, List<PodAffinityTerm> anti, ClusterEvent event) {
    var before = event.oldNode();
    var after = event.node();
    if (before == null) {
      return !anti.isEmpty()
          || affinity.isEmpty()
          || affinity.stream().anyMatch(t -> after.labels().containsKey(t.topologyKey()));
    }
    for (var term : affinity) {
      var value = after.labels().get(term.topologyKey());
      if (value != null && !value.equals(before.labels().get(term.topologyKey()))) {
        return true;
      }
    }
    for (var term : anti) {
      var was = before.labels().get(term.topologyKey());
      if (was != null && !was.equals(after.labels().get(term.topologyKey()))) {
        return true;
      }
    }
    // Terms of other pods may be what keeps this one off: any label may be their topology.
    return affinity.isEmpty() && anti.isEmpty();
  }

  private boolean matchesAll(List<PodAffinityTerm> terms, Pod owner, Pod other) {
    return terms.stream().allMatch(term -> matches(term, owner, other));
  }

  private boolean matchesAny(List<PodAffinityTerm> terms, Pod owner, Pod other) {
    return terms.stream().anyMatch(term -> matches(term, owner, other));
  }

  private boolean matches(PodAffinityTerm term, Pod owner, Pod other) {
    var selector = term.labelSelector();
    return selector != null && inScope(term, owner, other) && selector.matches(other.labels());
  }

  private boolean inScope(PodAffinityTerm term, Pod owner, Pod other) {
    var bySelector = term.namespaceSelector();
    if (term.namespaces().isEmpty() && bySelector == null) {
      return owner.namespace().equals(other.namespace());
    }
    return term.namespaces().contains(other.namespace())
        || (bySelector != null && bySelector.matches(namespaceLabels.apply(other.namespace())));
  }

  /// Every plugin's events, for the reference documents.
  static Map<String, Set<Kind>> watches() {
    return new HashMap<>(WATCHES);
  }
}
