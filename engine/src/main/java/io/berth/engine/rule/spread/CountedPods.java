package io.berth.engine.rule.spread;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Shape;
import io.berth.engine.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The running pods that hard constraints count, looked up once for each constraint.
final class CountedPods {

  private static final int UNKNOWN = -1;

  private final SpreadConstraint[] constraints;
  private final ClusterModel cluster;
  private final IdentityHashMap<Shape, Integer> countingShape = new IdentityHashMap<>();
  private final int[] countingNode;
  private final @Nullable List<List<RunningPod>>[] byDomain;

  @SuppressWarnings({"unchecked", "rawtypes"}) // Java makes no arrays of generic types.
  CountedPods(SpreadConstraint[] constraints, ClusterModel cluster) {
    this.constraints = constraints;
    this.cluster = cluster;
    this.byDomain = new List[constraints.length];
    this.countingNode = new int[cluster.nodes().limit()];
    Arrays.fill(countingNode, UNKNOWN);
  }

  /// A bit for each constraint that counts the pod where it is.
  int counting(RunningPod pod) {
    int byNode = countingNode(pod.node());
    return byNode == 0 ? 0 : byNode & countingShape.computeIfAbsent(pod.shape(), this::mask);
  }

  private int countingNode(int node) {
    if (countingNode[node] == UNKNOWN) {
      countingNode[node] = mask(node);
    }
    return countingNode[node];
  }

  private int mask(int node) {
    int mask = 0;
    if (cluster.nodes().isPresent(node) && SpreadConstraint.hasAllKeys(constraints, node)) {
      for (int c = 0; c < constraints.length; c++) {
        mask |= constraints[c].includes(node) ? 1 << c : 0;
      }
    }
    return mask;
  }

  private int mask(Shape pod) {
    int mask = 0;
    for (int c = 0; c < constraints.length; c++) {
      mask |= constraints[c].counts(pod) ? 1 << c : 0;
    }
    return mask;
  }

  /// The pods that the c-th constraint counts in the node's domain.
  List<RunningPod> near(int c, int node) {
    int domain = constraints[c].topology().domainOf(node);
    return domain == Topology.NONE ? List.of() : byDomain(c).get(domain);
  }

  private List<List<RunningPod>> byDomain(int c) {
    var known = byDomain[c];
    if (known == null) {
      known = find(c);
      byDomain[c] = known;
    }
    return known;
  }

  private List<List<RunningPod>> find(int c) {
    var topology = constraints[c].topology();
    var found = new ArrayList<>(Collections.nCopies(topology.domainCount(), List.<RunningPod>of()));
    var nodes = cluster.nodes();
    for (int node = 0; node < nodes.limit(); node++) {
      if ((countingNode(node) & (1 << c)) == 0 || constraints[c].podsOn(node) == 0) {
        continue;
      }
      int domain = topology.domainOf(node);
      if (found.get(domain).isEmpty()) {
        found.set(domain, new ArrayList<>());
      }
      on(node, 1 << c, found.get(domain));
    }
    return found;
  }

  /// Adds the pods on a node that all these constraints count, the most important first.
  void on(int node, int mask, List<RunningPod> into) {
    var pods = cluster.nodes().pods(node);
    for (int i = 0; i < pods.size(); i++) {
      if ((counting(pods.get(i)) & mask) == mask) {
        into.add(pods.get(i));
      }
    }
  }

  /// The nodes in the domain of a node, as far as the c-th constraint counts them.
  List<Integer> nodesNear(int c, int node) {
    var topology = constraints[c].topology();
    var found = new ArrayList<Integer>();
    for (int other = 0; other < cluster.nodes().limit(); other++) {
      if ((countingNode(other) & (1 << c)) != 0 && topology.isSame(other, node)) {
        found.add(other);
      }
    }
    return found;
  }
}
