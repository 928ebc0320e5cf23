package io.berth.engine.rule.spread;

import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.Importance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.PriorityQueue;

/// The pods of a zone in an order in which they could leave it, and how few the constraints by node
/// still count anywhere in the zone after each of them.
final class Departures {

  private static final int NEVER = Integer.MAX_VALUE;

  private final List<RunningPod> pods = new ArrayList<>();
  private final IdentityHashMap<RunningPod, Integer> places = new IdentityHashMap<>();
  private final List<Lowest> lowest = new ArrayList<>();

  /// By constraint: the least count of a node that lost pods, that node, and the least of another.
  private record Lowest(int[] least, int[] where, int[] second) {

    static Lowest of(int constraints) {
      int[] none = new int[constraints];
      Arrays.fill(none, NEVER);
      int[] nowhere = new int[constraints];
      Arrays.fill(nowhere, -1);
      return new Lowest(none, nowhere, none);
    }

    Lowest with(int mask, int node, int[] left) {
      var next = new Lowest(least.clone(), where.clone(), second.clone());
      for (int c = 0; c < left.length; c++) {
        if ((mask & (1 << c)) == 0) {
          continue;
        }
        if (node == where[c]) {
          next.least[c] = left[c];
        } else if (left[c] < least[c]) {
          next.second[c] = least[c];
          next.least[c] = left[c];
          next.where[c] = node;
        } else {
          next.second[c] = Math.min(second[c], left[c]);
        }
      }
      return next;
    }
  }

  /// So many pods that the zonal constraint counts near a node, the least important first.
  static Departures leastImportant(Zone zone, int count) {
    return new Departures(zone, count, Host::leastImportantFirst, false);
  }

  /// So many, and as many more as one node can have, in an order that leaves the constraints by
  /// node as much as it can everywhere: first those that none of them counts, then from where there
  /// are most.
  static Departures evenly(Zone zone, int count) {
    int limit = count == 0 ? 0 : count + zone.mostOnANode();
    return new Departures(zone, limit, Host::leastCountedFirst, true);
  }

  private Departures(Zone zone, int limit, Comparator<Host> hosts, boolean leastCountedFirst) {
    lowest.add(Lowest.of(zone.constraints.length));
    var waiting = new PriorityQueue<>(hosts);
    for (int node : limit > 0 ? zone.nodes() : List.<Integer>of()) {
      var host = new Host(zone, node, leastCountedFirst);
      if (!host.pods.isEmpty()) {
        waiting.add(host);
      }
    }
    while (pods.size() < limit && !waiting.isEmpty()) {
      var host = waiting.remove();
      leave(zone, host);
      if (!host.pods.isEmpty()) {
        waiting.add(host);
      }
    }
  }

  private void leave(Zone zone, Host host) {
    var leaver = host.pods.removeLast();
    places.put(leaver.pod, pods.size());
    pods.add(leaver.pod);
    int mask = leaver.mask & ~(1 << zone.zonal);
    for (int c = 0; c < host.left.length; c++) {
      host.left[c] -= (mask & (1 << c)) != 0 ? 1 : 0;
    }
    lowest.add(mask == 0 ? lowest.getLast() : lowest.getLast().with(mask, host.node, host.left));
  }

  List<RunningPod> pods() {
    return pods;
  }

  /// The pod's place in the order, beyond all others if it is not in it.
  int place(RunningPod pod) {
    return places.getOrDefault(pod, NEVER);
  }

  /// How many the c-th constraint counts on the node with fewest of those that lost pods, one node
  /// apart, when the first `count` pods have left.
  int fewest(int c, int count, int apart) {
    var then = lowest.get(count);
    return then.where[c] == apart ? then.second[c] : then.least[c];
  }

  /// Where pods may leave: the domain of a node by the one constraint that is not by node.
  record Zone(
      SpreadConstraint[] constraints, SpreadTest test, CountedPods counted, int zonal, int node) {

    List<Integer> nodes() {
      return counted.nodesNear(zonal, node);
    }

    int mostOnANode() {
      return nodes().stream().mapToInt(constraints[zonal]::podsOn).max().orElse(0);
    }
  }

  /// A pod, and a bit for each constraint that counts it.
  private record Leaver(RunningPod pod, int mask) {

    int countings() {
      return Integer.bitCount(mask);
    }
  }

  /// A node of the zone.
  private static final class Host {

    final int node;

    /// Those that may leave, the first last.
    final List<Leaver> pods = new ArrayList<>();

    final int[] left;

    Host(Zone zone, int node, boolean leastCountedFirst) {
      this.node = node;
      this.left = new int[zone.constraints.length];
      var counted = new ArrayList<RunningPod>();
      zone.counted.on(node, 1 << zone.zonal, counted);
      for (var pod : counted) {
        pods.add(new Leaver(pod, zone.counted.counting(pod)));
      }
      if (leastCountedFirst) {
        // Of equals the least important stays last.
        pods.sort((one, other) -> other.countings() - one.countings());
      }
      for (int c = 0; c < left.length; c++) {
        int domain = zone.constraints[c].topology().domainOf(node);
        left[c] = c == zone.zonal || domain == Topology.NONE ? 0 : zone.test.count(c, domain);
      }
    }

    private Leaver next() {
      return pods.getLast();
    }

    static int leastImportantFirst(Host one, Host other) {
      return Importance.LEAST_FIRST.compare(one.next().pod, other.next().pod);
    }

    static int leastCountedFirst(Host one, Host other) {
      int order = one.next().countings() - other.next().countings();
      if (order == 0) {
        order = Arrays.compare(other.left, one.left);
      }
      return order == 0 ? leastImportantFirst(one, other) : order;
    }
  }
}
