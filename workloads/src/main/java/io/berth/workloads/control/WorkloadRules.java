package io.berth.workloads.control;

import io.berth.api.Tree;
import io.berth.workloads.door.Rules;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.org.Projects;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Submission;
import org.jspecify.annotations.Nullable;

/// What a workload must be: a submission that its project would have accepted.
public final class WorkloadRules implements Rules {

  private final Projects projects;
  private final KubectlDoor door;

  public WorkloadRules(State state, Projects projects, Submission submission) {
    this.projects = projects;
    this.door = new KubectlDoor(state, submission);
  }

  @Override
  public void check(Tree object, @Nullable Tree old) {
    if (old != null && KubectlDoor.digest(old).equals(KubectlDoor.digest(object))) {
      return;
    }
    var project =
        projects
            .findByNamespace(object.textOrEmpty("metadata", "namespace"))
            .orElseThrow(() -> Refusal.badRequest(Phases.NO_PROJECT));
    door.admit(object, project);
  }

  /// A workload is held until its pods are gone: anybody may begin its end.
  @Override
  public void checkDeletion(Tree object) {}

  @Override
  public boolean isTakenIn(Tree object) {
    return object.tree("status", "placements") != null;
  }

  /// Its placement is written into its status when it is stored.
  @Override
  public Tree takenIn(Tree object) {
    return object;
  }
}
