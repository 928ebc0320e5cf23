package io.berth.workloads.control;

import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.control.Admission.Obstacle;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Affinities;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What nodes have left, and whether pods fit: a first look, before the scheduler decides.
///
/// Pods that were admitted and are not bound yet have their room taken already.
final class Room {

  private final Map<String, List<Slot>> byPool = new LinkedHashMap<>();

  private Room() {}

  static Room of(State state, NodePools pools) {
    var room = new Room();
    var pool = pools.poolsByNode();
    var slots = new LinkedHashMap<String, Slot>();
    for (var node : state.table(Resource.NODES).all()) {
      var slot = new Slot(node);
      slots.put(Projects.name(node), slot);
      room.byPool
          .computeIfAbsent(
              pool.getOrDefault(Projects.name(node), NodePools.DEFAULT), _ -> new ArrayList<>())
          .add(slot);
    }
    var admitted = new ArrayList<Tree>();
    for (var pod : state.table(Resource.PODS).all()) {
      var phase = pod.textOrEmpty("status", "phase");
      if (phase.equals("Succeeded") || phase.equals("Failed")) {
        continue;
      }
      var slot = slots.get(pod.textOrEmpty("spec", "nodeName"));
      if (slot != null) {
        slot.take(pod);
      } else if (pod.at("metadata", "annotations", Admission.POOL_ANNOTATION) != null
          && !Admission.isGated(pod)) {
        admitted.add(pod);
      }
    }
    for (var pod : admitted) {
      room.take(
          List.of(pod),
          String.valueOf(pod.at("metadata", "annotations", Admission.POOL_ANNOTATION)));
    }
    return room;
  }

  /// Why not all of the pods fit into a pool, or `null` when they do.
  @Nullable Obstacle obstacle(List<Tree> pods, String pool) {
    var slots = byPool.getOrDefault(pool, List.of()).stream().map(Slot::copy).toList();
    for (var pod : largestFirst(pods)) {
      var slot = slots.stream().filter(each -> each.fits(pod)).findFirst();
      if (slot.isEmpty()) {
        return new Obstacle(pool, null, message(pod, slots), "PROJECT");
      }
      slot.get().take(pod);
    }
    return null;
  }

  void take(List<Tree> pods, String pool) {
    for (var pod : largestFirst(pods)) {
      byPool.getOrDefault(pool, List.of()).stream()
          .filter(slot -> slot.fits(pod))
          .findFirst()
          .ifPresent(slot -> slot.take(pod));
    }
  }

  private static List<Tree> largestFirst(List<Tree> pods) {
    var sorted = new ArrayList<>(pods);
    sorted.sort(Comparator.comparingDouble(pod -> -Usage.amountOf(pod).gpu()));
    return sorted;
  }

  private static String message(Tree pod, List<Slot> slots) {
    long unmatched = slots.stream().filter(slot -> !slot.matches(pod)).count();
    long full = slots.size() - unmatched;
    var parts = new ArrayList<String>();
    if (unmatched > 0) {
      parts.add("%d node(s) didn't match Pod's node affinity/selector.".formatted(unmatched));
    }
    if (full > 0) {
      var lacking =
          slots.stream()
              .filter(slot -> slot.matches(pod))
              .map(slot -> slot.lacks(pod))
              .findFirst()
              .orElse("");
      parts.add("%d node(s) didn't have enough resources: %s.".formatted(full, lacking));
    }
    return "no nodes with enough resources were found: " + String.join(" \n", parts);
  }

  /// One node, and what it has left.
  private static final class Slot {

    private final Tree node;
    private double cpu;
    private double memory;
    private double gpus;
    private double shared;
    private int pods;

    Slot(Tree node) {
      this.node = node;
      var has = node.treeOrEmpty("status", "allocatable");
      this.cpu = number(has.textOrEmpty("cpu")) * 1000;
      this.memory = number(has.textOrEmpty("memory"));
      this.gpus = number(has.textOrEmpty("nvidia.com/gpu"));
      this.pods = (int) number(has.textOrEmpty("pods"));
    }

    private Slot(Slot other) {
      this.node = other.node;
      this.cpu = other.cpu;
      this.memory = other.memory;
      this.gpus = other.gpus;
      this.shared = other.shared;
      this.pods = other.pods;
    }

    Slot copy() {
      return new Slot(this);
    }

    boolean fits(Tree pod) {
      return matches(pod) && lacks(pod).isEmpty();
    }

    String lacks(Tree pod) {
      var amount = Usage.amountOf(pod);
      if (isShared(pod)
          ? gpus < Math.ceil(shared + amount.gpu())
          : gpus - Math.ceil(shared) < amount.gpu()) {
        return "GPUs";
      }
      if (cpu < amount.cpu()) {
        return "CPU cores";
      }
      if (memory < amount.memory()) {
        return "memory";
      }
      return pods < 1 ? "pods" : "";
    }

    private static boolean isShared(Tree pod) {
      return pod.at("metadata", "annotations", Usage.GPUS_ANNOTATION) != null;
    }

    void take(Tree pod) {
      var amount = Usage.amountOf(pod);
      cpu -= amount.cpu();
      memory -= amount.memory();
      pods--;
      if (isShared(pod)) {
        shared += amount.gpu();
      } else {
        gpus -= amount.gpu();
      }
    }

    boolean matches(Tree pod) {
      var terms =
          pod.trees(
              "spec",
              "affinity",
              "nodeAffinity",
              "requiredDuringSchedulingIgnoredDuringExecution",
              "nodeSelectorTerms");
      if (!terms.isEmpty() && !Affinities.matches(terms, node)) {
        return false;
      }
      for (var entry : pod.texts("spec", "nodeSelector").entrySet()) {
        if (!entry.getValue().equals(node.at("metadata", "labels", entry.getKey()))) {
          return false;
        }
      }
      return !node.flag("spec", "unschedulable") && toleratesTaints(pod);
    }

    private boolean toleratesTaints(Tree pod) {
      for (var taint : node.trees("spec", "taints")) {
        if (!taint.textOrEmpty("effect").equals("PreferNoSchedule")
            && pod.trees("spec", "tolerations").stream()
                .noneMatch(toleration -> tolerates(toleration, taint))) {
          return false;
        }
      }
      return true;
    }

    private static boolean tolerates(Tree toleration, Tree taint) {
      var effect = toleration.textOrEmpty("effect");
      var key = toleration.textOrEmpty("key");
      boolean sameEffect = effect.isEmpty() || effect.equals(taint.text("effect"));
      boolean sameKey = key.isEmpty() || key.equals(taint.text("key"));
      boolean exists = toleration.textOrEmpty("operator").equals("Exists");
      return sameEffect
          && sameKey
          && (exists || toleration.textOrEmpty("value").equals(taint.textOrEmpty("value")));
    }

    private static double number(String quantity) {
      return quantity.isEmpty() ? 0 : Quantity.parse(quantity).amount().doubleValue();
    }
  }
}
