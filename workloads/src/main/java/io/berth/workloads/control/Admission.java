package io.berth.workloads.control;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.quota.Outcome;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.PodRoles;
import io.berth.workloads.submit.PodTemplate;
import io.berth.workloads.submit.WorkloadKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does what fair sharing decides: pods of workloads that start lose the gate that kept the
/// scheduler away from them, pods that make way are deleted, and workloads that wait are told why.
public final class Admission {

  public static final String POOL_ANNOTATION = Usage.POOL_LABEL;

  private static final Logger log = LoggerFactory.getLogger(Admission.class);

  private final State state;
  private final NodePools pools;
  private final Sharing sharing;
  private final Projects projects;

  Admission(State state, NodePools pools, Projects projects) {
    this.state = state;
    this.pools = pools;
    this.projects = projects;
    this.sharing = new Sharing(state, pools, projects);
  }

  void pass() {
    var workloads = new LinkedHashMap<String, Tree>();
    for (var workload : state.workloads()) {
      workloads.put(workload.textOrEmpty("metadata", "uid"), workload);
    }
    if (workloads.values().stream().allMatch(workload -> gated(workload).isEmpty())) {
      return;
    }
    var outcome = sharing.decide(List.copyOf(workloads.values()));
    for (var eviction : outcome.evictions()) {
      evict(find(workloads, eviction.gang()), eviction);
    }
    for (var placement : outcome.placements()) {
      place(find(workloads, placement.gang()), placement);
    }
    for (var gang : outcome.waiting()) {
      var workload = find(workloads, gang.gang());
      if (!gated(workload).isEmpty()) {
        explain(workload, gang.refusals().stream().map(this::obstacle).toList());
      }
    }
  }

  private static Tree find(Map<String, Tree> workloads, String id) {
    return Objects.requireNonNull(workloads.get(id));
  }

  private List<Tree> gated(Tree workload) {
    return state.podsOf(workload).stream().filter(Admission::isGated).toList();
  }

  static boolean isGated(Tree pod) {
    return pod.text("metadata", "deletionTimestamp") == null
        && pod.trees("spec", "schedulingGates").stream()
            .anyMatch(gate -> gate.textOrEmpty("name").equals(PodTemplate.GATE));
  }

  private void evict(Tree workload, Outcome.Eviction eviction) {
    for (var pod : state.podsOf(workload)) {
      var key = pod.textOrEmpty("metadata", "namespace") + "/" + Projects.name(pod);
      if (eviction.pods().contains(key) && pod.text("metadata", "deletionTimestamp") == null) {
        log.info("{}", eviction.messageFor(key));
        say(workload, eviction.messageFor(key));
        state
            .table(Resource.PODS)
            .delete(
                pod.textOrEmpty("metadata", "namespace"),
                Projects.name(pod),
                DeleteOptions.DEFAULT);
      }
    }
  }

  /// Lets the pods go to their nodes, unless others have to leave these first.
  private void place(Tree workload, Outcome.Placement placement) {
    if (!placement.waitsFor().isEmpty()) {
      say(workload, "starts when these pods are gone: " + String.join(", ", placement.waitsFor()));
      return;
    }
    for (var assignment : placement.pods()) {
      for (var pod : gated(workload)) {
        if (Projects.name(pod).equals(assignment.pod())) {
          nominate(pod, assignment.node());
          admit(pod, placement.pool(), assignment, workload);
        }
      }
    }
  }

  /// The scheduler takes the nominated node unless something has come between.
  private void nominate(Tree pod, String node) {
    state
        .table(Resource.PODS)
        .changeStatus(
            pod.textOrEmpty("metadata", "namespace"),
            Projects.name(pod),
            object -> object.putAt(node, "status", "nominatedNodeName"));
  }

  /// The pools a workload may run in, the best first.
  static List<String> pools(Tree workload) {
    var role = PodRoles.of(workload).all().getFirst().name();
    return workload.list("status", "placements", role, "pools").stream()
        .map(String::valueOf)
        .toList();
  }

  private Obstacle obstacle(Outcome.Refusal refusal) {
    var reason =
        switch (refusal.reason()) {
          case NON_PREEMPTIBLE_OVER_QUOTA -> "NonPreemptibleOverQuota";
          case OVER_LIMIT -> "OverLimit";
          case NO_ROOM, HELD, INCOMPLETE, UNKNOWN_POOL, UNKNOWN_PROJECT -> null;
        };
    boolean isProject = refusal.unit() == null || projects.find(refusal.unit()).isPresent();
    return new Obstacle(
        refusal.pool(), reason, refusal.message(), isProject ? "PROJECT" : "DEPARTMENT");
  }

  /// Takes the gate away, and binds the pod to the pool.
  private void admit(Tree pod, String pool, Outcome.Assignment assignment, Tree workload) {
    boolean several = pools(workload).size() > 1;
    state
        .table(Resource.PODS)
        .change(
            pod.textOrEmpty("metadata", "namespace"),
            Projects.name(pod),
            object -> {
              var gates = new ArrayList<Object>(object.trees("spec", "schedulingGates"));
              gates.removeIf(gate -> ((Tree) gate).textOrEmpty("name").equals(PodTemplate.GATE));
              object.child("spec").put("schedulingGates", gates);
              var annotations = object.child("metadata").child("annotations");
              annotations.put(POOL_ANNOTATION, pool);
              annotations.put(Sharing.NODE_ANNOTATION, assignment.node());
              if (!assignment.devices().isEmpty()) {
                var numbers = assignment.devices().stream().map(String::valueOf).toList();
                annotations.put(Sharing.DEVICES_ANNOTATION, String.join(",", numbers));
              }
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

  private void say(Tree workload, String message) {
    state
        .table(WorkloadKind.of(workload.textOrEmpty("kind")).resource())
        .changeStatus(
            workload.textOrEmpty("metadata", "namespace"),
            Projects.name(workload),
            object -> object.putAt(message, "status", "phaseMessage"));
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
