package io.berth.workloads.control;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.PodRoles;
import io.berth.workloads.submit.PodTemplate;
import io.berth.workloads.submit.Priorities;
import io.berth.workloads.submit.WorkloadKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides which waiting workload may start, and in which of its pools: the first one in which all
/// its pods fit now, and in which its project may have them.
///
/// Workloads wait in order of priority within a project and of age. A gang starts whole, in one
/// pool, or waits; its pods then lose the gate that kept the scheduler away from them.
public final class Admission {

  public static final String POOL_ANNOTATION = Usage.POOL_LABEL;

  private final State state;
  private final NodePools pools;
  private final Quotas quotas;
  private final Projects projects;

  Admission(State state, NodePools pools, Projects projects) {
    this.state = state;
    this.pools = pools;
    this.projects = projects;
    this.quotas = new Quotas(state, pools);
  }

  void pass() {
    var waiting = waiting();
    if (waiting.isEmpty()) {
      return;
    }
    var room = Room.of(state, pools);
    for (var workload : waiting) {
      decide(workload, room);
    }
  }

  /// Workloads all of whose pods are there, and some of whose are gated.
  private List<Tree> waiting() {
    var waiting = new ArrayList<Tree>();
    for (var workload : state.workloads()) {
      if (workload.flag("spec", "suspend")
          || workload.text("metadata", "deletionTimestamp") != null
          || workload.tree("status", "placements") == null) {
        continue;
      }
      var gated = gated(workload);
      int live =
          (int)
              state.podsOf(workload).stream()
                  .filter(pod -> pod.text("metadata", "deletionTimestamp") == null)
                  .filter(pod -> !pod.textOrEmpty("status", "phase").equals("Failed"))
                  .count();
      if (!gated.isEmpty() && live >= PodRoles.of(workload).podCount()) {
        waiting.add(workload);
      }
    }
    waiting.sort(
        Comparator.comparingInt((Tree workload) -> -Priorities.value(Priorities.of(workload)))
            .thenComparing(State::createdAt));
    return waiting;
  }

  private List<Tree> gated(Tree workload) {
    return state.podsOf(workload).stream().filter(Admission::isGated).toList();
  }

  static boolean isGated(Tree pod) {
    return pod.text("metadata", "deletionTimestamp") == null
        && pod.trees("spec", "schedulingGates").stream()
            .anyMatch(gate -> gate.textOrEmpty("name").equals(PodTemplate.GATE));
  }

  private void decide(Tree workload, Room room) {
    var project = projects.findByNamespace(workload.textOrEmpty("metadata", "namespace"));
    if (project.isEmpty()) {
      return;
    }
    var pods = gated(workload);
    var obstacles = new ArrayList<Obstacle>();
    for (var pool : options(workload, pods)) {
      var found = quotas.obstacle(workload, project.get(), pods, pool);
      var obstacle = found == null ? room.obstacle(pods, pool) : found;
      if (obstacle == null) {
        room.take(pods, pool);
        pods.forEach(pod -> admit(pod, pool, workload));
        return;
      }
      obstacles.add(obstacle);
    }
    explain(workload, obstacles);
  }

  /// The pool of its pods that run already, or all it asked for, in order.
  private List<String> options(Tree workload, List<Tree> gatedPods) {
    for (var pod : state.podsOf(workload)) {
      if (!gatedPods.contains(pod)
          && pod.at("metadata", "annotations", POOL_ANNOTATION) instanceof String pool) {
        return List.of(pool);
      }
    }
    var role = PodRoles.of(workload).all().getFirst().name();
    return workload.list("status", "placements", role, "pools").stream()
        .map(String::valueOf)
        .toList();
  }

  /// Takes the gate away, and binds the pod to the pool.
  private void admit(Tree pod, String pool, Tree workload) {
    boolean several = options(workload, state.podsOf(workload)).size() > 1;
    state
        .table(Resource.PODS)
        .change(
            pod.textOrEmpty("metadata", "namespace"),
            Projects.name(pod),
            object -> {
              var gates = new ArrayList<Object>(object.trees("spec", "schedulingGates"));
              gates.removeIf(gate -> ((Tree) gate).textOrEmpty("name").equals(PodTemplate.GATE));
              object.child("spec").put("schedulingGates", gates);
              object.child("metadata").child("annotations").put(POOL_ANNOTATION, pool);
              if (several) {
                confine(object, pool);
              }
              return object;
            });
  }

  /// Kubernetes lets a gated pod's rules be tightened: a label for pools that have one, one more
  /// expression in every term for the default pool.
  private void confine(Tree pod, String name) {
    var pool = pools.find(name).orElseThrow();
    if (!pool.isDefault()) {
      pod.child("spec").child("nodeSelector").put(pool.label(), pool.value());
      return;
    }
    var terms =
        pod.trees(
            "spec",
            "affinity",
            "nodeAffinity",
            "requiredDuringSchedulingIgnoredDuringExecution",
            "nodeSelectorTerms");
    for (var term : terms) {
      term.childList("matchExpressions").addAll(pools.expressions(pool));
    }
  }

  /// Why a workload cannot start in a pool. `reason` is one of the API's, or `null`.
  record Obstacle(String pool, @Nullable String reason, String message, String unit) {}

  private void explain(Tree workload, List<Obstacle> obstacles) {
    var pending = new ArrayList<Object>();
    String reason = null;
    for (var obstacle : obstacles) {
      if (obstacle.reason() != null) {
        reason = reason == null ? obstacle.reason() : reason;
        pending.add(
            Tree.of(
                "nodePool", obstacle.pool(),
                "phaseReason", obstacle.reason(),
                "reason", obstacle.message(),
                "orgType", obstacle.unit(),
                "userMessage", obstacle.message()));
      }
    }
    var message =
        obstacles.isEmpty()
            ? "failed finding node pool for assigning - all node pools from options are non"
                + " available"
            : obstacles.getFirst().message();
    var first = reason;
    state
        .table(WorkloadKind.of(workload.textOrEmpty("kind")).resource())
        .changeStatus(
            workload.textOrEmpty("metadata", "namespace"),
            Projects.name(workload),
            object -> {
              var status = object.child("status");
              status.put("phaseMessage", message);
              if (first == null) {
                status.remove("phaseReason");
                status.remove("pending");
              } else {
                status.put("phaseReason", first).put("pending", pending);
              }
              return object;
            });
  }
}
