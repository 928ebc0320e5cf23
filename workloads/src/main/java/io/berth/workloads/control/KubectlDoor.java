package io.berth.workloads.control;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.org.Projects;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Submission;
import io.berth.workloads.submit.Submission.Accepted;
import io.berth.workloads.submit.WorkloadKind;
import io.berth.workloads.submit.WorkloadNames;
import io.berth.workloads.types.Types;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The other door: a workload that was written with kubectl, or changed there, is held to what REST
/// holds requests to. Where the cluster has stored it already, it is refused in its status.
final class KubectlDoor {

  /// What is yet to be stored is the youngest.
  private static final String NOT_YET = "~";

  /// By whole seconds, which is what the cluster notes; within one, REST goes first: it has already
  /// looked whether the name is free.
  private static final Comparator<Tree> AGE =
      Comparator.comparing(KubectlDoor::made)
          .thenComparing(
              workload -> workload.at("metadata", "annotations", State.CREATED_AT) == null)
          .thenComparing(workload -> workload.textOrEmpty("metadata", "uid"));

  private final State state;
  private final Submission submission;

  KubectlDoor(State state, Submission submission) {
    this.state = state;
    this.submission = submission;
  }

  /// Whether this very specification has been through here.
  boolean hasSeen(Tree workload) {
    return workload.tree("status", "placements") != null
        && digest(workload).equals(workload.textOrEmpty("status", "acceptedSpec"));
  }

  /// What the workload is with policy applied; throws what is wrong with it.
  Accepted admit(Tree workload, Tree project) {
    var kind = WorkloadKind.of(workload.textOrEmpty("kind"));
    var spec = specOf(workload);
    checkTypes(kind, workload, spec, project);
    WorkloadNames.check(Projects.name(workload));
    checkFree(workload);
    return submission.accept(kind, project, spec);
  }

  /// The object as the request that would have made it.
  private void checkTypes(WorkloadKind kind, Tree workload, Tree spec, Tree project) {
    var plain = spec.copy();
    var request =
        Tree.of(
            "name", Projects.name(workload),
            "projectId", Projects.id(project),
            "clusterId", state.clusterId());
    if (kind == WorkloadKind.DISTRIBUTED && plain.has("master")) {
      request.put("masterSpec", plain.remove("master"));
    }
    Types.REQUESTS.check(kind.title() + "CreationRequest", request.put("spec", plain));
  }

  /// One name for one workload in a project, whatever its type: the older one keeps it.
  private void checkFree(Tree workload) {
    for (var other : state.workloads()) {
      if (AGE.compare(other, workload) < 0
          && Projects.name(other).equals(Projects.name(workload))
          && other
              .textOrEmpty("metadata", "namespace")
              .equals(workload.text("metadata", "namespace"))) {
        throw Refusal.badRequest(
            "a workload named \"%s\" already exists in this project"
                .formatted(Projects.name(workload)));
      }
    }
  }

  private static String made(Tree workload) {
    var made = workload.textOrEmpty("metadata", "creationTimestamp");
    return made.isEmpty() ? NOT_YET : made;
  }

  private static Tree specOf(Tree workload) {
    var spec = workload.treeOrEmpty("spec").copy();
    spec.remove("suspend");
    return spec;
  }

  /// Tells specifications apart; whether a workload is suspended is not part of it.
  static String digest(Tree workload) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(Json.write(sorted(specOf(workload))));
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no SHA-256 in this Java", e);
    }
  }

  // Clusters may give the fields of an object in another order than they were written.
  private static @Nullable Object sorted(@Nullable Object value) {
    return switch (value) {
      case Tree tree -> {
        var sorted = new Tree();
        for (var name : new TreeSet<>(tree.names())) {
          sorted.put(name, sorted(tree.get(name)));
        }
        yield sorted;
      }
      case List<?> list -> new ArrayList<>(list.stream().map(KubectlDoor::sorted).toList());
      case null, default -> value;
    };
  }
}
