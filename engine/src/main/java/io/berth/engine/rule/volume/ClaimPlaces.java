package io.berth.engine.rule.volume;

import io.berth.api.CsiStorageCapacity;
import io.berth.api.Node;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.Quantity;
import io.berth.api.Requirement;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Volumes;
import io.berth.engine.rule.Labels;
import io.berth.engine.rule.NodeMatcher;
import io.berth.engine.rule.UtilizationShape;
import io.berth.engine.rule.UtilizationShape.ShapePoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where the claims of one pod are, or could go, on a node.
///
/// What does not depend on the node is worked out once: which volumes could serve each claim, the
/// smallest first. As in Kubernetes the smallest claim chooses first, a claim for which a volume is
/// reserved takes that or none, and what finds no volume is provisioned.
final class ClaimPlaces {

  static final String NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
  static final String NOTHING_TO_BIND = "node(s) didn't find available persistent volumes to bind";
  static final String NO_STORAGE = "node(s) did not have enough free storage";
  static final String VOLUME_GONE =
      "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";

  private final ClusterModel cluster;
  private final List<Bound> bound = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final Map<String, ByNodeLabel<CsiStorageCapacity>> capacities = new HashMap<>();

  private ClaimPlaces(
      List<PersistentVolumeClaim> bound,
      List<PersistentVolumeClaim> waiting,
      ClusterModel cluster) {
    this.cluster = cluster;
    bound.forEach(claim -> this.bound.add(bound(claim)));
    waiting.forEach(claim -> this.waiting.add(waiting(claim)));
  }

  static ClaimPlaces of(List<PodClaims.Named> claims, ClusterModel cluster) {
    var bound = new ArrayList<PersistentVolumeClaim>();
    var waiting = new ArrayList<PersistentVolumeClaim>();
    for (var named : claims) {
      var claim = named.claim();
      if (claim != null) {
        (claim.isBound() ? bound : waiting).add(claim);
      }
    }
    return new ClaimPlaces(bound, waiting, cluster);
  }

  /// Reserves what the claims of a pod get on the node; what that is.
  static OnNode reserve(Pod pod, String node, ClusterModel cluster) {
    int index = cluster.nodes().find(node);
    if (index < 0) {
      throw new IllegalArgumentException("node \"%s\" does not exist".formatted(node));
    }
    var places = of(PodClaims.of(cluster.shapeOf(pod), cluster), cluster).on(index);
    for (var binding : places.bindings()) {
      cluster.volumes().reserve(binding.volume(), binding.claim());
    }
    for (var provision : places.provisions()) {
      cluster.volumes().reserve(provision.claim(), node);
    }
    return places;
  }

  /// A bound claim: its volume, if that exists, and the nodes it is reachable from, as the volume
  /// says itself and as the CSI driver understands it that took over its plugin.
  private record Bound(
      @Nullable PersistentVolume volume,
      @Nullable NodeMatcher own,
      @Nullable CsiMigration migration) {}

  /// A claim without a volume, those reserved for it, and those it may have otherwise.
  private record Waiting(
      PersistentVolumeClaim claim, List<Free> reserved, ByNodeLabel<Free> free) {}

  private record Free(PersistentVolume volume, @Nullable NodeMatcher matcher) {

    boolean isReachable(Node node) {
      return matcher == null || matcher.matchesLabels(node.labels());
    }
  }

  /// A claim that gets an existing volume.
  record Binding(PersistentVolumeClaim claim, PersistentVolume volume) {}

  /// A claim whose volume is made on the node, from `capacity` where that is known.
  record Provision(PersistentVolumeClaim claim, @Nullable CsiStorageCapacity capacity) {}

  /// What one node has for the claims; `reasons` why not, if it cannot serve them all.
  record OnNode(List<String> reasons, List<Binding> bindings, List<Provision> provisions) {

    long score(List<ShapePoint> shape) {
      var use = new LinkedHashMap<String, long[]>();
      for (var binding : bindings) {
        var sums = use.computeIfAbsent(binding.volume().storageClassName(), _ -> new long[2]);
        sums[0] += binding.claim().size().value();
        sums[1] += binding.volume().capacity().value();
      }
      for (var provision : bindings.isEmpty() ? provisions : List.<Provision>of()) {
        if (provision.capacity() != null) {
          var sums = use.computeIfAbsent(provision.claim().storageClassName(), _ -> new long[2]);
          sums[0] += provision.claim().size().value();
          sums[1] = capacity(provision.capacity());
        }
      }
      long sum = 0;
      for (var sums : use.values()) {
        boolean full = sums[1] == 0 || sums[0] > sums[1];
        sum += UtilizationShape.at(shape, full ? 100 : sums[0] * 100 / sums[1]);
      }
      return use.isEmpty() ? 0 : Math.round((double) sum / use.size());
    }

    private static long capacity(CsiStorageCapacity storage) {
      var capacity = storage.capacity();
      return capacity == null ? 0 : capacity.value();
    }
  }

  /// Whether all claims have their volumes already.
  boolean isSettled() {
    return waiting.isEmpty();
  }

  OnNode on(int index) {
    var node = cluster.nodes().node(index);
    var reasons = new ArrayList<String>();
    var bindings = new ArrayList<Binding>();
    var provisions = new ArrayList<Provision>();
    var obstacle = obstacle(node);
    if (NODE_CONFLICT.equals(obstacle)) {
      reasons.add(obstacle);
    }
    var problem = serve(node, bindings, provisions);
    if (problem != null) {
      reasons.add(problem);
    }
    if (VOLUME_GONE.equals(obstacle)) {
      reasons.add(obstacle);
    }
    return new OnNode(reasons, bindings, provisions);
  }

  /// What keeps the node from the first bound claim it cannot serve.
  private @Nullable String obstacle(Node node) {
    for (var each : bound) {
      if (each.volume() == null) {
        return VOLUME_GONE;
      }
      if (!isReachable(each, each.volume(), node)) {
        return NODE_CONFLICT;
      }
    }
    return null;
  }

  private boolean isReachable(Bound claim, PersistentVolume volume, Node node) {
    var migration = claim.migration();
    if (migration != null && migration.isOn(cluster.volumes().csiNode(node.name()))) {
      return migration.isReachable(volume, node.labels());
    }
    return claim.own() == null || claim.own().matchesLabels(node.labels());
  }

  private @Nullable String serve(Node node, List<Binding> bindings, List<Provision> provisions) {
    var left = new ArrayList<PersistentVolumeClaim>();
    var choosing = new ArrayList<Waiting>();
    for (var each : waiting) {
      var selected = each.claim().selectedNode();
      if (selected == null) {
        choosing.add(each);
      } else if (selected.equals(node.name())) {
        left.add(each.claim());
      } else {
        return NOTHING_TO_BIND;
      }
    }
    choosing.sort(Comparator.comparing(each -> each.claim().size()));
    var taken = new HashSet<String>();
    for (var each : choosing) {
      var volume = choose(each, node, taken);
      if (volume == null) {
        left.add(each.claim());
      } else {
        taken.add(volume.name());
        bindings.add(new Binding(each.claim(), volume));
      }
    }
    return provision(left, node, provisions);
  }

  private static @Nullable PersistentVolume choose(Waiting claim, Node node, Set<String> taken) {
    for (var each : claim.reserved()) {
      if (!taken.contains(each.volume().name())) {
        return each.isReachable(node) ? each.volume() : null;
      }
    }
    var free =
        claim
            .free()
            .first(
                node.labels(),
                each -> !taken.contains(each.volume().name()) && each.isReachable(node));
    return free == null ? null : free.volume();
  }

  private @Nullable String provision(
      List<PersistentVolumeClaim> claims, Node node, List<Provision> provisions) {
    for (var claim : claims) {
      var storageClass = cluster.volumes().storageClass(claim.storageClassName());
      if (storageClass == null
          || !storageClass.provisions()
          || !storageClass.allows(node.labels())) {
        return NOTHING_TO_BIND;
      }
      var driver = cluster.volumes().driver(storageClass.provisioner());
      var size = claim.request();
      if (size == null || driver == null || !driver.storageCapacity()) {
        provisions.add(new Provision(claim, null));
        continue;
      }
      var capacity = capacity(storageClass.name(), size, node);
      if (capacity == null) {
        return NO_STORAGE;
      }
      provisions.add(new Provision(claim, capacity));
    }
    return null;
  }

  private @Nullable CsiStorageCapacity capacity(String storageClass, Quantity size, Node node) {
    return capacities
        .computeIfAbsent(storageClass, this::capacitiesOf)
        .first(node.labels(), each -> each.holds(size) && reaches(each, node));
  }

  private static boolean reaches(CsiStorageCapacity capacity, Node node) {
    var reach = capacity.nodeTopology();
    return reach != null && reach.matches(node.labels());
  }

  private ByNodeLabel<CsiStorageCapacity> capacitiesOf(String storageClass) {
    var found = new ByNodeLabel<CsiStorageCapacity>();
    for (var capacity : cluster.volumes().capacities()) {
      var reach = capacity.nodeTopology();
      if (!capacity.storageClassName().equals(storageClass)
          || reach == null
          || Labels.problemWith(reach) != null) {
        continue;
      }
      if (reach.matchLabels().isEmpty()) {
        found.add(capacity);
      } else {
        var pair = reach.matchLabels().entrySet().iterator().next();
        found.add(pair.getKey(), List.of(pair.getValue()), capacity);
      }
    }
    return found;
  }

  private Bound bound(PersistentVolumeClaim claim) {
    var volume = cluster.volumes().volume(claim.volumeName());
    return volume == null
        ? new Bound(null, null, null)
        : new Bound(volume, matcher(volume), CsiMigration.of(volume));
  }

  private Waiting waiting(PersistentVolumeClaim claim) {
    var reserved = new ArrayList<Free>();
    var free = new ArrayList<Free>();
    for (var volume : volumes().volumesOf(claim.storageClassName())) {
      if (isSuitable(volume, claim)) {
        if (volume.isFor(claim)) {
          reserved.add(new Free(volume, matcher(volume)));
        } else if (isFree(volume, claim)) {
          free.add(new Free(volume, matcher(volume)));
        }
      }
    }
    free.sort(Comparator.comparing(each -> each.volume().capacity()));
    return new Waiting(claim, reserved, byLabel(free));
  }

  private static ByNodeLabel<Free> byLabel(List<Free> free) {
    var filed = new ByNodeLabel<Free>();
    for (var each : free) {
      var label = label(each.volume());
      if (label == null) {
        filed.add(each);
      } else {
        filed.add(label.key(), label.values(), each);
      }
    }
    return filed;
  }

  /// A label that every node which reaches the volume has with one of these values.
  private static @Nullable Requirement label(PersistentVolume volume) {
    var terms = volume.nodeAffinity();
    for (var clause :
        terms != null && terms.size() == 1
            ? terms.getFirst().matchExpressions()
            : List.<Requirement>of()) {
      if (clause.operator().equals("In")) {
        return clause;
      }
    }
    return null;
  }

  private Volumes volumes() {
    return cluster.volumes();
  }

  private static @Nullable NodeMatcher matcher(PersistentVolume volume) {
    var terms = volume.nodeAffinity();
    return terms == null ? null : NodeMatcher.of(terms);
  }

  private static boolean isSuitable(PersistentVolume volume, PersistentVolumeClaim claim) {
    return (volume.claim() == null || volume.isFor(claim))
        && volume.capacity().compareTo(claim.size()) >= 0
        && volume.volumeMode().equals(claim.volumeMode())
        && volume.attributesClass().equals(claim.attributesClass())
        && !volume.terminating();
  }

  private static boolean isFree(PersistentVolume volume, PersistentVolumeClaim claim) {
    var selector = claim.selector();
    return volume.phase().equals("Available")
        && (selector == null || selector.matches(volume.labels()))
        && volume.accessModes().containsAll(claim.accessModes());
  }
}
