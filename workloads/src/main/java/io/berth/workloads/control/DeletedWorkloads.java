package io.berth.workloads.control;

import io.berth.api.Tree;
import io.berth.workloads.org.Projects;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.state.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What is remembered of workloads that are no more, for two weeks.
final class DeletedWorkloads {

  private static final Duration KEPT = Duration.ofDays(14);
  private static final int MOST = 10_000;

  private final State state;
  private final Projects projects;

  DeletedWorkloads(State state, Projects projects) {
    this.state = state;
    this.projects = projects;
  }

  /// Writes down what lists of deleted workloads show.
  void remember(Tree workload, List<Tree> pods) {
    var id = workload.textOrEmpty("metadata", "uid");
    var records = state.table(BerthKinds.DELETED_WORKLOADS);
    if (records.find("", "deleted-" + id).isPresent()) {
      return;
    }
    var names = new ArrayList<Object>();
    pods.forEach(pod -> names.add(Projects.name(pod)));
    var copy = workload.copy();
    copy.child("metadata").remove("managedFields");
    var project = projects.findByNamespace(workload.textOrEmpty("metadata", "namespace"));
    records.create(
        Tree.of(
            "metadata", Tree.of("name", "deleted-" + id),
            "spec",
                Tree.of(
                    "workload",
                    copy,
                    "pods",
                    names,
                    "projectId",
                    project.map(Projects::id).orElse(""),
                    "deletedAt",
                    state.times().now())));
    forget();
  }

  /// Lets go of what is too old, or too much.
  void forget() {
    var records = state.table(BerthKinds.DELETED_WORKLOADS);
    var all = records.all();
    var oldest = Times.text(state.times().instant().minus(KEPT));
    for (int i = 0; i < all.size(); i++) {
      if (i < all.size() - MOST
          || all.get(i).textOrEmpty("spec", "deletedAt").compareTo(oldest) < 0) {
        records.delete(all.get(i));
      }
    }
  }
}
