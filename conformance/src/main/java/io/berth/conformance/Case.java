package io.berth.conformance;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One recorded cluster: what is there at the start, and what happens then.
///
/// `tree` is the case as it was written; objects in it are plain Kubernetes JSON as an API server
/// stores it. `source` is where it was read, `file:line`, or empty.
public record Case(Tree tree, List<Step> steps, String source) {

  /// The objects a cluster may start with, in the order in which they are handed over.
  public static final List<String> OBJECTS =
      List.of(
          "namespaces",
          "storageClasses",
          "persistentVolumes",
          "persistentVolumeClaims",
          "csiNodes",
          "csiDrivers",
          "csiStorageCapacities",
          "volumeAttachments",
          "pdbs",
          "services",
          "replicationControllers",
          "replicaSets",
          "statefulSets",
          "nodes",
          "pods");

  /// Reads a case; a malformed one is refused with an [IllegalArgumentException] that names the
  /// step.
  public static Case of(Tree tree) {
    return of(tree, "");
  }

  static Case of(Tree tree, String source) {
    if (!(tree.get("steps") instanceof List<?>)) {
      throw new IllegalArgumentException("a case needs a list \"steps\"");
    }
    var steps = tree.trees("steps");
    var read = new ArrayList<Step>(steps.size());
    for (int i = 0; i < steps.size(); i++) {
      read.add(Step.of(steps.get(i), i));
    }
    return new Case(tree, List.copyOf(read), source);
  }

  public String id() {
    return tree.textOrEmpty("id");
  }

  /// The `KubeSchedulerConfiguration`, or `null` for the default one.
  public @Nullable Tree config() {
    return tree.tree("config");
  }

  /// The objects under one of the names of [#OBJECTS].
  public List<Tree> objects(String name) {
    return tree.trees(name);
  }
}
