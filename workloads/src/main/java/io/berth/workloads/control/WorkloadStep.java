package io.berth.workloads.control;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.org.Projects;
import io.berth.workloads.sharing.Notices;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.PodRoles;
import io.berth.workloads.submit.PodTemplate;
import io.berth.workloads.submit.Revisions;
import io.berth.workloads.submit.Submission;
import io.berth.workloads.submit.WorkloadKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One look at one workload: are its pods there, and what does its status say.
final class WorkloadStep {

  /// Holds a workload until its pods are gone and what is remembered of it is written down.
  static final String FINALIZER = "berth.io/workloads";

  private static final long DEFAULT_BACKOFF_LIMIT = 6;

  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(10);

  /// How long a workload stays after its end unless it says otherwise.
  private static final long KEPT_SECONDS = Duration.ofDays(30).toSeconds();

  private final State state;
  private final Projects projects;
  private final KubectlDoor door;
  private final DeletedWorkloads deleted;
  private final Notices notices;

  WorkloadStep(State state, Projects projects, Submission submission, DeletedWorkloads deleted) {
    this.deleted = deleted;
    this.notices = new Notices(state);
    this.state = state;
    this.projects = projects;
    this.door = new KubectlDoor(state, submission);
  }

  /// When time alone calls for another look; `null` when it does not.
  @Nullable Instant look(Tree workload) {
    if (workload.text("metadata", "deletionTimestamp") != null) {
      end(workload);
      return null;
    }
    var project = projects.findByNamespace(workload.textOrEmpty("metadata", "namespace"));
    if (project.isEmpty()) {
      status(workload, Phases.refused(Phases.NO_PROJECT));
      return null;
    }
    var accepted = accepted(workload, project.get());
    if (accepted == null) {
      return null;
    }
    var limit = TimeLimit.ends(accepted);
    if (isPast(limit)) {
      accepted = stop(accepted);
    }
    if (accepted.flag("spec", "suspend")) {
      deleteAll(state.podsOf(accepted));
    } else if (!Phases.isFinal(accepted.textOrEmpty("status", "phase"))) {
      var refusal = makePods(accepted, project.get());
      if (refusal != null) {
        return refused(accepted, refusal);
      }
    }
    var seen = status(accepted, Phases.of(accepted, state.podsOf(accepted)));
    if (Phases.isFinal(seen.textOrEmpty("status", "phase"))) {
      cleanUp(seen);
    }
    var overdue = overdue(seen);
    if (isPast(overdue)) {
      table(seen).delete(seen);
    }
    return overdue == null ? TimeLimit.ends(seen) : overdue;
  }

  private boolean isPast(@Nullable Instant time) {
    return time != null && !time.isAfter(state.times().instant());
  }

  /// Ends its run, as its owner could.
  private Tree stop(Tree workload) {
    table(workload)
        .changeStatus(
            namespace(workload),
            Projects.name(workload),
            object -> object.putAt(TimeLimit.message(object), "status", Phases.STOP_REASON));
    return table(workload)
        .change(
            namespace(workload),
            Projects.name(workload),
            object -> object.putAt(true, "spec", "suspend"));
  }

  /// When it is to go, having completed as long ago as it was to be kept.
  private static @Nullable Instant overdue(Tree workload) {
    var completed = workload.textOrEmpty("status", "completedAt");
    if (completed.isEmpty() || !Phases.isFinal(workload.textOrEmpty("status", "phase"))) {
      return null;
    }
    long kept = workload.number(KEPT_SECONDS, "spec", "autoDeletionTimeAfterCompletionSeconds");
    return Instant.parse(completed).plusSeconds(kept);
  }

  // ---- acceptance ------------------------------------------------------------------------------

  /// The workload with its placement: one that came through kubectl is checked here, as REST checks
  /// before it writes. `null` when it was refused, or is being changed.
  private @Nullable Tree accepted(Tree workload, Tree project) {
    if (door.hasSeen(workload)) {
      return workload;
    }
    try {
      var accepted = door.admit(workload, project);
      var changedSince = new boolean[1];
      var whole =
          table(workload)
              .change(
                  namespace(workload),
                  Projects.name(workload),
                  object -> {
                    changedSince[0] =
                        !KubectlDoor.digest(object).equals(KubectlDoor.digest(workload));
                    if (changedSince[0]) {
                      return object;
                    }
                    accepted
                        .spec()
                        .fields()
                        .forEach((name, value) -> object.child("spec").put(name, value));
                    object
                        .child("metadata")
                        .child("annotations")
                        .putIfAbsent(Submission.PRESETS, String.join(",", accepted.presets()));
                    var finalizers = object.child("metadata").childList("finalizers");
                    if (!finalizers.contains(FINALIZER)) {
                      finalizers.add(FINALIZER);
                    }
                    return object;
                  });
      if (changedSince[0]) {
        // What was accepted is no longer what is wanted; that change brings us back here.
        return null;
      }
      return table(workload)
          .changeStatus(
              namespace(whole),
              Projects.name(whole),
              object -> {
                object
                    .putAt(accepted.placements(), "status", "placements")
                    .putAt(KubectlDoor.digest(whole), "status", "acceptedSpec");
                TimeLimit.keep(object, projects, project);
                Revisions.keep(object, state.times().now());
                return object;
              });
    } catch (Refusal e) {
      status(workload, Phases.refused(e.inWords()));
      return null;
    }
  }

  // ---- pods ------------------------------------------------------------------------------------

  /// Says why its pods cannot be made; whoever can mend that need not tell us, so it is tried
  /// again.
  private Instant refused(Tree workload, String refusal) {
    var seen = Phases.of(workload, state.podsOf(workload));
    if (!workload.textOrEmpty("status", "phaseMessage").equals(refusal)) {
      notices.workload(workload, "Warning", "FailedCreate", refusal);
    }
    status(workload, seen.saying(refusal));
    return state.times().instant().plus(BETWEEN_TRIES);
  }

  /// Returns why the cluster refuses one of them, or `null`.
  private @Nullable String makePods(Tree workload, Tree project) {
    var template = new PodTemplate(workload, project);
    var live = new HashMap<String, Tree>();
    var failures = new HashMap<String, Integer>();
    for (var pod : state.podsOf(workload)) {
      var slot = slot(pod);
      if (PodPhase.of(pod).equals(PodPhase.FAILED)) {
        failures.merge(slot, 1, Integer::sum);
      } else {
        live.put(slot, pod);
      }
    }
    var wanted = new HashSet<String>();
    for (var role : PodRoles.of(workload).all()) {
      for (int i = 0; i < role.count(); i++) {
        var slot = role.name() + "-" + i;
        wanted.add(slot);
        int attempt = failures.getOrDefault(slot, 0);
        if (!live.containsKey(slot) && attempt <= backoffLimit(workload)) {
          var refusal = create(template.pod(role, i, attempt));
          if (refusal != null) {
            return refusal;
          }
        }
      }
    }
    removeOthers(live, wanted);
    replaceOutdated(workload, live);
    return null;
  }

  private static String slot(Tree pod) {
    var labels = pod.texts("metadata", "labels");
    return labels.getOrDefault(PodTemplate.ROLE_LABEL, "")
        + "-"
        + labels.getOrDefault(PodTemplate.INDEX_LABEL, "");
  }

  static long backoffLimit(Tree workload) {
    return workload.number(DEFAULT_BACKOFF_LIMIT, "spec", "backoffLimit");
  }

  private @Nullable String create(Tree pod) {
    try {
      state.table(Resource.PODS).create(pod);
      return null;
    } catch (ApiException e) {
      return switch (e.code()) {
        // The name is still taken by a pod on its way out; its end brings us back here.
        case 409 -> null;
        case 400, 403, 422 ->
            "the cluster refuses pod %s: %s".formatted(Projects.name(pod), e.getMessage());
        default -> throw e;
      };
    }
  }

  private void removeOthers(Map<String, Tree> live, Set<String> wanted) {
    var surplus = new ArrayList<Tree>();
    live.forEach((slot, pod) -> {
      if (!wanted.contains(slot)) {
        surplus.add(pod);
      }
    });
    deleteAll(surplus);
  }

  /// An inference that was changed gets new pods.
  private void replaceOutdated(Tree workload, Map<String, Tree> live) {
    var current = Revisions.current(workload);
    deleteAll(
        live.values().stream()
            .filter(pod ->
                !pod.textOrEmpty("metadata", "labels", PodTemplate.REVISION_LABEL).equals(current))
            .toList());
  }

  /// What is to become of the pods of a distributed training that is over: `cleanPodPolicy`.
  private void cleanUp(Tree workload) {
    if (WorkloadKind.of(workload.textOrEmpty("kind")) != WorkloadKind.DISTRIBUTED) {
      return;
    }
    var policy = workload.textOrEmpty("spec", "cleanPodPolicy");
    if (policy.isEmpty()) {
      policy = workload.textOrEmpty("spec", "distributedFramework").equals("MPI") ? "Running" : "";
    }
    boolean all = policy.equals("All");
    if (all || policy.equals("Running")) {
      deleteAll(
          state.podsOf(workload).stream().filter(pod -> all || !PodPhase.isTerminal(pod)).toList());
    }
  }

  private void deleteAll(List<Tree> pods) {
    for (var pod : pods) {
      if (pod.text("metadata", "deletionTimestamp") == null) {
        state.table(Resource.PODS).delete(pod);
      }
    }
  }

  // ---- the end ---------------------------------------------------------------------------------

  private void end(Tree workload) {
    var pods = state.podsOf(workload);
    if (workload.treeOrEmpty("status").tree("last") == null) {
      deleted.remember(workload, pods);
    }
    deleteAll(pods);
    if (!state.podsOf(workload).isEmpty()) {
      status(workload, Phases.deleting());
      return;
    }
    table(workload)
        .change(
            namespace(workload),
            Projects.name(workload),
            object -> {
              object.child("metadata").childList("finalizers").remove(FINALIZER);
              return object;
            });
  }

  // ---- status ----------------------------------------------------------------------------------

  private Tree status(Tree workload, Phases.Seen seen) {
    var now = state.times().now();
    return table(workload)
        .changeStatus(
            namespace(workload), Projects.name(workload), object -> seen.writeTo(object, now));
  }

  private io.berth.workloads.state.Objects table(Tree workload) {
    return state.table(WorkloadKind.of(workload.textOrEmpty("kind")).resource());
  }

  private static String namespace(Tree object) {
    return object.textOrEmpty("metadata", "namespace");
  }
}
