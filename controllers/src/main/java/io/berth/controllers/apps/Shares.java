package io.berth.controllers.apps;

import static io.berth.controllers.apps.ReplicaSetSizes.annotated;
import static io.berth.controllers.apps.ReplicaSetSizes.size;
import static io.berth.controllers.apps.ReplicaSetSizes.total;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A Deployment that is scaled in the middle of a rollout: each ReplicaSet grows or shrinks by its
/// share, and the largest one takes what rounding leaves.
final class Shares {

  private final long replicas;
  private final long surge;
  private final long replicasBefore;

  Shares(long replicas, long surge, long replicasBefore) {
    this.replicas = replicas;
    this.surge = surge;
    this.replicasBefore = replicasBefore;
  }

  /// The new sizes, in the order in which they are to be written.
  Map<Tree, Long> of(List<Tree> active) {
    var allowed = replicas > 0 ? replicas + surge : 0;
    var toAdd = allowed - total(active);
    var ordered = new ArrayList<>(active);
    var bySize = Comparator.comparingLong(ReplicaSetSizes::size).reversed();
    ordered.sort(bySize.thenComparing(toAdd > 0 ? Rollout.OLDEST.reversed() : Rollout.OLDEST));
    var sizes = new LinkedHashMap<Tree, Long>();
    long added = 0;
    for (var set : ordered) {
      var share = toAdd == 0 ? 0 : share(set, toAdd, added);
      sizes.put(set, size(set) + share);
      added += share;
    }
    var left = toAdd - added;
    sizes.computeIfPresent(ordered.getFirst(), (_, size) -> Math.max(0, size + left));
    return sizes;
  }

  private long share(Tree set, long toAdd, long added) {
    if (size(set) == 0 || toAdd == added) {
      return 0;
    }
    var wanted = -size(set);
    if (replicas != 0) {
      var before = annotated(set, Rollout.MAX);
      var base = before == null || before == 0 ? replicasBefore : before;
      var now = (double) size(set) * (replicas + surge) / Math.max(1, base);
      wanted = Math.round(now) - size(set);
    }
    return toAdd > 0 ? Math.min(wanted, toAdd - added) : Math.max(wanted, toAdd - added);
  }
}
