package io.berth.workloads.serve;

import io.berth.api.Tree;
import io.berth.workloads.access.Caller;
import io.berth.workloads.access.Scope;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.org.Projects;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.WorkloadKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A workload as somebody may see it: one there is, or one that was deleted.
record Found(Tree workload, String projectId, @Nullable Tree project, @Nullable String deletedAt) {

  WorkloadKind kind() {
    return WorkloadKind.of(workload.textOrEmpty("kind"));
  }

  String id() {
    return workload.textOrEmpty("metadata", "uid");
  }

  String name() {
    return Projects.name(workload);
  }

  String namespace() {
    return workload.textOrEmpty("metadata", "namespace");
  }

  Scope scope() {
    return Scope.project(projectId);
  }

  /// The object of its name, if it is still this one: a name may come to be another workload's.
  Tree checked(Tree object) {
    if (!object.textOrEmpty("metadata", "uid").equals(id())) {
      throw Refusal.notFound();
    }
    return object;
  }

  private boolean isVisibleTo(Caller caller) {
    return caller.sees(kind().access(), scope());
  }

  /// Everything the caller may see, oldest first.
  static List<Found> visible(State state, Caller caller, boolean deleted) {
    var all = deleted ? deleted(state) : live(state);
    return all.stream().filter(each -> each.isVisibleTo(caller)).toList();
  }

  /// One workload by id, also a deleted one; what may not be seen is as if missing.
  static Found of(State state, Caller caller, String id) {
    var all = new ArrayList<>(live(state));
    all.addAll(deleted(state));
    return all.stream()
        .filter(each -> each.id().equals(id) && each.isVisibleTo(caller))
        .findFirst()
        .orElseThrow(Refusal::notFound);
  }

  private static List<Found> live(State state) {
    var projects = new Projects(state);
    var live = new ArrayList<Found>();
    for (var workload : state.workloads()) {
      projects
          .findByNamespace(workload.textOrEmpty("metadata", "namespace"))
          .ifPresent(project -> live.add(new Found(workload, Projects.id(project), project, null)));
    }
    return live;
  }

  private static List<Found> deleted(State state) {
    var deleted = new ArrayList<Found>();
    var projects = new Projects(state);
    for (var record : state.table(BerthKinds.DELETED_WORKLOADS).all()) {
      var id = record.textOrEmpty("spec", "projectId");
      var workload = record.treeOrEmpty("spec", "workload");
      // Until its pods are gone a workload is not deleted, only being deleted.
      boolean stillThere =
          state
              .table(WorkloadKind.of(workload.textOrEmpty("kind")).resource())
              .findByUid(workload.textOrEmpty("metadata", "uid"))
              .isPresent();
      if (!stillThere) {
        deleted.add(
            new Found(
                workload, id, projects.find(id).orElse(null), record.text("spec", "deletedAt")));
      }
    }
    return deleted;
  }
}
