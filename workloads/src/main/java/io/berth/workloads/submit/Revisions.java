package io.berth.workloads.submit;

import io.berth.api.Tree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// What an inference has been, one revision for each specification it was given.
///
/// Kept in its status, the newest last; pods carry the id of the revision they were made from.
public final class Revisions {

  /// Of more changes than this the oldest are forgotten.
  private static final int KEPT = 20;

  private static final String FIELD = "revisions";

  /// What a revision is shown with.
  private static final List<String> SHOWN =
      List.of(
          "image", "command", "args", "environmentVariables", "compute", "autoscaling", "replicas");

  private Revisions() {}

  /// The revisions of a workload, oldest first; none unless it is an inference.
  public static List<Tree> of(Tree workload) {
    return workload.trees("status", FIELD);
  }

  /// The id of the revision that pods are made from; empty when the workload has none.
  public static String current(Tree workload) {
    var all = of(workload);
    return all.isEmpty() ? "" : all.getLast().textOrEmpty("id");
  }

  /// Writes down a specification that has just been accepted.
  public static void keep(Tree workload, String now) {
    if (!WorkloadKind.of(workload.textOrEmpty("kind")).isInference()) {
      return;
    }
    var all = new ArrayList<Object>(of(workload));
    long number = all.isEmpty() ? 1 : of(workload).getLast().number(0, "number") + 1;
    var spec = new Tree();
    for (var field : SHOWN) {
      if (workload.treeOrEmpty("spec").has(field)) {
        spec.put(field, Tree.copyOf(workload.at("spec", field)));
      }
    }
    all.add(Tree.of("id", id(workload, number), "number", number, "createdAt", now, "spec", spec));
    workload
        .child("status")
        .put(FIELD, all.size() > KEPT ? all.subList(all.size() - KEPT, all.size()) : all);
  }

  /// The workload as it was with this revision.
  public static Tree at(Tree workload, Tree revision) {
    var then = workload.copy();
    SHOWN.forEach(then.child("spec")::remove);
    revision
        .treeOrEmpty("spec")
        .fields()
        .forEach((field, value) -> then.child("spec").put(field, value));
    return then;
  }

  private static String id(Tree workload, long number) {
    var name = workload.textOrEmpty("metadata", "uid") + "/" + number;
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }
}
