package io.berth.workloads.sharing;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.quota.Outcome.Assignment;
import io.berth.quota.Outcome.Placement;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Topologies;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.PodTemplate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/// Lets the pods of a workload go: takes the gate away that kept the scheduler from them.
///
/// A pod that shares devices is bound to the very node they are on, and so is one that must be
/// close to others; the rest is bound to the pool: there the scheduler takes the nominated node
/// unless something has come between.
final class Starts {

  private final State state;
  private final NodePools pools;
  private final Reservations reservations;

  Starts(State state, NodePools pools, Reservations reservations) {
    this.state = state;
    this.pools = pools;
    this.reservations = reservations;
  }

  void start(Tree workload, Placement placement) {
    for (var assignment : placement.pods()) {
      state
          .table(Resource.PODS)
          .find(assignment.namespace(), assignment.pod())
          .filter(Pods::isGated)
          .ifPresent(pod -> start(workload, pod, placement.pool(), assignment));
    }
  }

  private void start(Tree workload, Tree pod, String pool, Assignment assignment) {
    reservations.ensure(assignment.node(), assignment.devices());
    state
        .table(Resource.PODS)
        .changeStatus(
            Pods.namespace(pod),
            Pods.name(pod),
            object -> object.putAt(assignment.node(), "status", "nominatedNodeName"));
    var role = pod.textOrEmpty("metadata", "labels", PodTemplate.ROLE_LABEL);
    boolean several = workload.list("status", "placements", role, "pools").size() > 1;
    state
        .table(Resource.PODS)
        .change(
            Pods.namespace(pod),
            Pods.name(pod),
            object -> {
              openGate(object);
              annotate(object, pool, assignment);
              if (!assignment.devices().isEmpty() || isKeptTogether(workload)) {
                pin(object, assignment.node());
              } else {
                confine(object, pool, several);
              }
              return object;
            });
  }

  /// Whether its pods must be in one domain, which the scheduler knows nothing of.
  private static boolean isKeptTogether(Tree workload) {
    return workload.trees("spec", "annotations").stream()
        .anyMatch(each -> each.textOrEmpty("name").equals(Topologies.REQUIRED));
  }

  private static void openGate(Tree pod) {
    var gates = new ArrayList<Object>(pod.trees("spec", "schedulingGates"));
    gates.removeIf(gate -> ((Tree) gate).textOrEmpty("name").equals(PodTemplate.GATE));
    pod.child("spec").put("schedulingGates", gates);
  }

  private static void annotate(Tree pod, String pool, Assignment assignment) {
    var annotations = pod.child("metadata").child("annotations");
    annotations.put(Usage.POOL_LABEL, pool);
    annotations.put(Pods.NODE_ANNOTATION, assignment.node());
    if (!assignment.devices().isEmpty()) {
      var numbers = assignment.devices().stream().map(String::valueOf).toList();
      annotations.put(Pods.DEVICES_ANNOTATION, String.join(",", numbers));
      var gpus = BigDecimal.valueOf(assignment.gpuMillis(), 3).stripTrailingZeros();
      annotations.put(Usage.GPUS_ANNOTATION, gpus.toPlainString());
    }
  }

  // Kubernetes lets a gated pod's rules be tightened, and nothing else: labels may be added to the
  // selector, expressions to existing terms.

  private static void pin(Tree pod, String node) {
    for (var term : terms(pod)) {
      term.childList("matchFields")
          .add(Tree.of("key", "metadata.name", "operator", "In", "values", List.of(node)));
    }
  }

  /// To the chosen pool, where there was a choice; and, since its label may have come to other
  /// nodes after the pod was made, to those that are in the pool now.
  private void confine(Tree pod, String name, boolean several) {
    var pool = pools.find(name).orElseThrow();
    if (several && !pool.isDefault()) {
      pod.child("spec").child("nodeSelector").put(pool.label(), pool.value());
    }
    var more =
        pool.isDefault()
            ? several ? pools.expressions(pool) : List.<Tree>of()
            : pools.exclusions(pool);
    for (var term : terms(pod)) {
      var expressions = term.childList("matchExpressions");
      more.stream().filter(each -> !expressions.contains(each)).forEach(expressions::add);
    }
  }

  /// Pods of workloads always have some: at least those of their pools.
  private static List<Tree> terms(Tree pod) {
    return pod.trees(
        "spec",
        "affinity",
        "nodeAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "nodeSelectorTerms");
  }
}
