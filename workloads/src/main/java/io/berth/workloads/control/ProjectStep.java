package io.berth.workloads.control;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.door.Given;
import io.berth.workloads.org.ProjectRoutes;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.WorkloadKind;

/// One look at one project: is its namespace there, and is it on its way out.
final class ProjectStep {

  private final State state;

  ProjectStep(State state) {
    this.state = state;
  }

  void look(String name) {
    var project = state.table(BerthKinds.PROJECTS).find("", name);
    if (project.isEmpty()) {
      return;
    }
    if (project.get().text("metadata", "deletionTimestamp") != null) {
      end(project.get());
    } else {
      prepare(project.get());
    }
  }

  private void prepare(Tree project) {
    var namespace = Projects.namespace(project);
    if (Given.hasId(project) && state.table(Resource.NAMESPACES).find("", namespace).isEmpty()) {
      state.ensureNamespace(namespace, Tree.of(Usage.PROJECT_LABEL, Projects.name(project)));
    }
  }

  private void end(Tree project) {
    var namespace = Projects.namespace(project);
    boolean empty = true;
    for (var kind : WorkloadKind.values()) {
      for (var workload : state.table(kind.resource()).all()) {
        if (workload.textOrEmpty("metadata", "namespace").equals(namespace)) {
          empty = false;
          if (workload.text("metadata", "deletionTimestamp") == null) {
            state.table(kind.resource()).delete(workload);
          }
        }
      }
    }
    if (!empty) {
      // The end of the last one brings us back here.
      return;
    }
    var ours =
        state
            .table(Resource.NAMESPACES)
            .find("", namespace)
            .filter(each ->
                Projects.name(project).equals(each.at("metadata", "labels", Usage.PROJECT_LABEL)));
    if (ours.isPresent()) {
      if (ours.get().text("metadata", "deletionTimestamp") == null) {
        state.table(Resource.NAMESPACES).delete(ours.get());
      }
      // As does the end of the namespace: until then a project of this name would find it closed.
      return;
    }
    state
        .table(BerthKinds.PROJECTS)
        .change(
            "",
            Projects.name(project),
            object -> {
              object.child("metadata").childList("finalizers").remove(ProjectRoutes.FINALIZER);
              return object;
            });
  }
}
