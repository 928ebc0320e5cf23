package io.berth.workloads.serve;

import io.berth.api.Tree;
import io.berth.workloads.list.Columns;
import io.berth.workloads.list.Columns.Kind;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.NodePools.Pool;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.State;
import io.berth.workloads.state.Times;
import io.berth.workloads.submit.PodRoles;
import io.berth.workloads.submit.Priorities;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A workload as the API shows it: in lists, and under its own type.
final class WorkloadView {

  static final String CREATED_BY = "berth.io/created-by";
  static final String REQUESTED_NAME = "berth.io/requested-name";

  static final Columns COLUMNS =
      Columns.searching("name", "id", "projectName", "submittedBy", "type", "phase")
          .texts(
              "type",
              "name",
              "clusterId",
              "projectId",
              "projectName",
              "departmentId",
              "departmentName",
              "submittedBy",
              "phase",
              "distributedFramework",
              "category",
              "priorityClassName",
              "aiApplicationId",
              "aiApplicationName")
          .times(
              "createdAt", "deletedAt", "completedAt", "phaseUpdatedAt", "guaranteedRuntimeEndsAt")
          .numbers(
              "idleGpus",
              "idleAllocatedGpus",
              "priority",
              "totalPendingTimeSeconds",
              "totalRunningTimeSeconds")
          .column("nodepool", Kind.TEXT, workload -> workload.get("currentNodePools"))
          .column(
              "allocatedGPU", Kind.NUMBER, workload -> workload.at("allocatedResources", "gpu"));

  private final State state;
  private final Projects projects;
  private final NodePools pools;

  WorkloadView(State state) {
    this.state = state;
    this.projects = new Projects(state);
    this.pools = new NodePools(state);
  }

  // ---- under its own type ----------------------------------------------------------------------

  Tree typed(Found found) {
    var workload = found.workload();
    var spec = workload.treeOrEmpty("spec").copy();
    var suspended = spec.flag("suspend");
    spec.remove("suspend");
    var master = spec.remove("master");
    var view =
        Tree.of(
            "name", found.name(),
            "requestedName", annotation(workload, REQUESTED_NAME, found.name()),
            "workloadId", found.id(),
            "projectId", found.projectId(),
            "departmentId", found.project() == null ? null : Projects.departmentId(found.project()),
            "clusterId", state.clusterId(),
            "createdBy", annotation(workload, CREATED_BY, "kubectl"),
            "createdAt", State.createdAt(workload),
            "updatedAt", updatedAt(workload),
            "deletedAt", found.deletedAt(),
            "desiredPhase", desired(found, suspended),
            "actualPhase", phase(found),
            "spec", spec);
    if (workload.textOrEmpty("kind").equals("DistributedTraining")) {
      view.put("masterSpecSameAsWorker", master == null).put("masterSpec", master);
    }
    return view;
  }

  private static String desired(Found found, boolean suspended) {
    if (found.deletedAt() != null
        || found.workload().text("metadata", "deletionTimestamp") != null) {
      return "Deleted";
    }
    return suspended ? "Stopped" : "Running";
  }

  static String phase(Found found) {
    var workload = found.workload();
    if (found.deletedAt() == null && workload.text("metadata", "deletionTimestamp") != null) {
      return "Deleting";
    }
    var phase = workload.textOrEmpty("status", "phase");
    return phase.isEmpty() ? "Creating" : phase;
  }

  private static String annotation(Tree workload, String name, String absent) {
    return workload.at("metadata", "annotations", name) instanceof String text ? text : absent;
  }

  private static String updatedAt(Tree workload) {
    var phase = workload.textOrEmpty("status", "phaseUpdatedAt");
    return phase.isEmpty() ? State.createdAt(workload) : phase;
  }

  // ---- in lists --------------------------------------------------------------------------------

  Tree listed(Found found) {
    return listed(
        found, found.deletedAt() == null ? state.podsOf(found.workload()) : List.<Tree>of());
  }

  /// As if these were all its pods.
  Tree listed(Found found, List<Tree> pods) {
    var workload = found.workload();
    var spec = workload.treeOrEmpty("spec");
    var project = found.project();
    var department = project == null ? null : projects.department(project).orElse(null);
    var priority = Priorities.of(workload);
    var view =
        Tree.of(
            "tenantId", state.tenantId(),
            "id", found.id(),
            "name", found.name(),
            "type", found.kind().title(),
            "source", "Control-plane",
            "namespace", found.namespace(),
            "clusterId", state.clusterId(),
            "projectId", found.projectId(),
            "projectName", project == null ? "" : Projects.name(project),
            "departmentId", project == null ? "" : Projects.departmentId(project),
            "departmentName", department == null ? "" : Projects.name(department),
            "submittedBy", annotation(workload, CREATED_BY, "kubectl"),
            "priority", Priorities.value(priority),
            "priorityClassName", priority,
            "preemptible", Priorities.isPreemptible(workload),
            "category",
                spec.textOrEmpty("category").isEmpty()
                    ? found.kind().category()
                    : spec.text("category"),
            "createdAt", State.createdAt(workload),
            "updatedAt", updatedAt(workload),
            "completedAt", workload.text("status", "completedAt"),
            "deletedAt", found.deletedAt());
    addStatus(view, found, pods);
    addRequest(view, workload, pods);
    return view;
  }

  private void addStatus(Tree view, Found found, List<Tree> pods) {
    var workload = found.workload();
    var phase = phase(found);
    var since = updatedAt(workload);
    var reason = workload.text("status", "phaseReason");
    view.put("phase", phase)
        .put("phaseMessage", workload.textOrEmpty("status", "phaseMessage"))
        .put("phaseReason", reason)
        .put("phaseUpdatedAt", since)
        .put("k8sPhase", phase)
        .put("k8sPhaseUpdatedAt", since)
        .put("conditions", new ArrayList<>(workload.list("status", "conditions")))
        .put(
            "runningPods",
            found.deletedAt() == null ? workload.number(0, "status", "runningPods") : 0L)
        .put(
            "currentNodePools",
            pods.isEmpty()
                ? new ArrayList<>()
                : new ArrayList<>(workload.list("status", "currentNodePools")))
        .put("allocatedResources", Resources.allocated(pods))
        .put("actionsSupport", Tree.of("delete", true, "suspend", found.kind().canBeSuspended()))
        .put("totalPendingTimeSeconds", spent(workload, Set.of("Creating", "Pending", "Resuming")))
        .put("totalRunningTimeSeconds", spent(workload, Set.of("Running", "Degraded")))
        .put("guaranteedRuntimeEndsAt", guaranteedUntil(workload, pods))
        .put("idleGpus", 0)
        .put("idleAllocatedGpus", 0);
  }

  /// Until when nobody takes from it what it runs with: its pool's guaranteed time from its start.
  private @Nullable String guaranteedUntil(Tree workload, List<Tree> pods) {
    if (!Priorities.isPreemptible(workload)) {
      return null;
    }
    Instant until = null;
    for (var pod : pods) {
      var started = pod.textOrEmpty("status", "startTime");
      if (!started.isEmpty()
          && pod.at("metadata", "annotations", Usage.POOL_LABEL) instanceof String pool) {
        var guaranteed = pools.find(pool).map(Pool::guaranteedRuntime).orElse(Duration.ZERO);
        var end = Instant.parse(started).plus(guaranteed);
        if (!guaranteed.isZero() && (until == null || end.isAfter(until))) {
          until = end;
        }
      }
    }
    return until == null ? null : Times.text(until);
  }

  private long spent(Tree workload, Set<String> phases) {
    long seconds = 0;
    var history = workload.trees("status", "history");
    for (int i = 0; i < history.size(); i++) {
      if (phases.contains(history.get(i).textOrEmpty("phase"))) {
        var from = Instant.parse(history.get(i).textOrEmpty("at"));
        var to =
            i + 1 < history.size()
                ? Instant.parse(history.get(i + 1).textOrEmpty("at"))
                : state.times().instant();
        seconds += Math.max(0, Duration.between(from, to).toSeconds());
      }
    }
    return seconds;
  }

  private static void addRequest(Tree view, Tree workload, List<Tree> pods) {
    var spec = workload.treeOrEmpty("spec");
    var roles = PodRoles.of(workload);
    var images = new LinkedHashSet<Object>();
    roles.all().forEach(role -> images.add(role.spec().textOrEmpty("image")));
    var worker = roles.all().getLast();
    var children = new ArrayList<Object>();
    pods.forEach(pod -> children.add(Tree.of("id", pod.text("metadata", "uid"), "type", "Pod")));
    view.put("requestedNodePools", pools(workload))
        .put(
            "requestedPods",
            Tree.of(
                "number", roles.podCount(),
                "min", spec.get("minReplicas"),
                "max", spec.get("maxReplicas"),
                "parallelism", spec.get("parallelism"),
                "completions", spec.get("completions")))
        .put("podsRequestedResources", Resources.requested(worker.spec().treeOrEmpty("compute"), 1))
        .put("workloadRequestedResources", Resources.requested(roles))
        .put("images", new ArrayList<>(images))
        .put("childrenIds", children)
        .put("datasources", new ArrayList<>())
        .put("environments", new ArrayList<>())
        .put("urls", new ArrayList<>())
        .put("externalConnections", new ArrayList<>())
        .put("environmentVariables", environment(spec))
        .put("command", spec.text("command"))
        .put("arguments", spec.text("args"))
        .put("distributedFramework", spec.text("distributedFramework"));
  }

  private static List<Object> pools(Tree workload) {
    var role = PodRoles.of(workload).all().getLast().name();
    return new ArrayList<>(workload.list("status", "placements", role, "pools"));
  }

  private static Tree environment(Tree spec) {
    var variables = new Tree();
    for (var variable : spec.trees("environmentVariables")) {
      if (variable.text("value") != null) {
        variables.put(variable.textOrEmpty("name"), variable.text("value"));
      }
    }
    return variables;
  }

  Tree detailed(Found found) {
    return listed(found)
        .put(
            "pendingSchedulingMessages",
            new ArrayList<>(found.workload().list("status", "pending")));
  }
}
