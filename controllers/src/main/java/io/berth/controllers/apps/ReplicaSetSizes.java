package io.berth.controllers.apps;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a Deployment reads off its ReplicaSets: how large they are and shall be, and how old.
final class ReplicaSetSizes {

  private ReplicaSetSizes() {}

  static List<Tree> active(List<Tree> sets) {
    var active = new ArrayList<>(sets);
    active.removeIf(set -> size(set) == 0);
    return active;
  }

  static long size(Tree set) {
    return set.number(1, "spec", "replicas");
  }

  // Pods beyond the size are about to be deleted, whatever the status still says.
  static long available(Tree set) {
    return Math.min(size(set), set.number(0, "status", "availableReplicas"));
  }

  static long total(List<Tree> sets) {
    return sets.stream().mapToLong(ReplicaSetSizes::size).sum();
  }

  static long actual(List<Tree> sets) {
    return sets.stream().mapToLong(set -> set.number(0, "status", "replicas")).sum();
  }

  static long availableOf(List<Tree> sets) {
    return sets.stream().mapToLong(ReplicaSetSizes::available).sum();
  }

  static long revision(Tree set) {
    var revision = annotated(set, Rollout.REVISION);
    return revision == null ? 0 : revision;
  }

  static @Nullable Long annotated(Tree set, String key) {
    var text = Meta.annotation(set, key);
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
