package io.berth.workloads.serve;

import io.berth.api.Tree;
import io.berth.workloads.list.Columns;
import io.berth.workloads.list.Columns.Kind;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.State;
import io.berth.workloads.state.Times;
import io.berth.workloads.submit.PodRoles;
import io.berth.workloads.submit.PodTemplate;
import io.berth.workloads.submit.Priorities;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A pod of a workload as the API shows it, with where it may run and where it does.
final class PodView {

  static final Columns COLUMNS =
      Columns.searching("name", "nodeName", "workloadName", "id")
          .texts("clusterId", "workloadId", "revisionId", "nodeName")
          .column("currentNodepool", Kind.TEXT, pod -> pod.get("currentNodePool"))
          .times("createdAt", "completedAt", "deletedAt");

  private final State state;

  PodView(State state) {
    this.state = state;
  }

  List<Tree> of(Found found) {
    if (found.deletedAt() != null) {
      return List.of();
    }
    return state.podsOf(found.workload()).stream().map(pod -> of(pod, found)).toList();
  }

  private Tree of(Tree pod, Found found) {
    var role = String.valueOf(pod.at("metadata", "labels", PodTemplate.ROLE_LABEL));
    var placement = found.workload().treeOrEmpty("status", "placements", role);
    var created = Times.of(pod.textOrEmpty("metadata", "creationTimestamp"));
    var node = pod.text("spec", "nodeName");
    return Tree.of(
        "name", Projects.name(pod),
        "id", pod.text("metadata", "uid"),
        "workloadId", found.id(),
        "workloadName", found.name(),
        "revisionId", revisionOf(pod),
        "clusterId", state.clusterId(),
        "tenantId", state.tenantId(),
        "projectId", found.projectId(),
        "projectName", found.project() == null ? "" : Projects.name(found.project()),
        "priorityClassName", Priorities.of(found.workload()),
        "nodeName", node,
        "ip", pod.text("status", "podIP"),
        "k8sPhase", phase(pod),
        "createdAt", created,
        "updatedAt", started(pod, created),
        "k8sPhaseUpdatedAt", started(pod, created),
        "completedAt", completed(pod),
        "deletedAt", null,
        "containers", containers(pod),
        "currentNodePool",
            node == null ? null : pod.at("metadata", "annotations", Usage.POOL_LABEL),
        "requestedNodePools", new ArrayList<>(placement.list("pools")),
        "requestedResources", requested(found, role),
        "allocatedResources", Resources.allocated(List.of(pod)),
        "tolerations", tolerations(pod),
        "nodeAffinity", affinity(placement));
  }

  /// The id of the revision of an inference that a pod was made from.
  static @Nullable String revisionOf(Tree pod) {
    return pod.at("metadata", "labels", PodTemplate.REVISION_LABEL) instanceof String id
        ? id
        : null;
  }

  private static String phase(Tree pod) {
    var phase = pod.textOrEmpty("status", "phase");
    return phase.isEmpty() ? "Pending" : phase;
  }

  private static String started(Tree pod, String created) {
    var at = Times.of(pod.textOrEmpty("status", "startTime"));
    return at.isEmpty() ? created : at;
  }

  private static @Nullable String completed(Tree pod) {
    for (var status : pod.trees("status", "containerStatuses")) {
      var at = status.text("state", "terminated", "finishedAt");
      if (at != null) {
        return Times.of(at);
      }
    }
    return null;
  }

  private static List<Object> containers(Tree pod) {
    var containers = new ArrayList<Object>();
    for (var container : pod.trees("spec", "containers")) {
      String startedAt = null;
      for (var status : pod.trees("status", "containerStatuses")) {
        if (status.textOrEmpty("name").equals(container.text("name"))) {
          var at = status.text("state", "running", "startedAt");
          startedAt = at == null ? null : Times.of(at);
        }
      }
      containers.add(
          Tree.of(
              "name", container.text("name"),
              "image", container.text("image"),
              "startedAt", startedAt));
    }
    return containers;
  }

  private static Tree requested(Found found, String roleName) {
    for (var role : PodRoles.of(found.workload()).all()) {
      if (role.name().equals(roleName)) {
        return Resources.requested(role.spec().treeOrEmpty("compute"), 1);
      }
    }
    return Resources.requested(new Tree(), 1);
  }

  private static List<Object> tolerations(Tree pod) {
    var tolerations = new ArrayList<Object>();
    for (var toleration : pod.trees("spec", "tolerations")) {
      tolerations.add(
          Tree.of(
              "key", toleration.textOrEmpty("key"),
              "operator",
                  toleration.textOrEmpty("operator").isEmpty()
                      ? "Equal"
                      : toleration.text("operator"),
              "value", toleration.textOrEmpty("value"),
              "effect", toleration.text("effect"),
              "tolerationSeconds", toleration.get("tolerationSeconds")));
    }
    return tolerations;
  }

  /// As the workload was placed, whatever pool was chosen since.
  private static Tree affinity(Tree placement) {
    var terms = placement.trees("terms");
    var preferred = placement.trees("preferred");
    return Tree.of(
        "required",
            terms.isEmpty() ? null : Tree.of("nodeSelectorTerms", new ArrayList<Object>(terms)),
        "preferred",
            preferred.isEmpty()
                ? null
                : Tree.of("nodeSelectorTerms", new ArrayList<Object>(preferred)));
  }
}
