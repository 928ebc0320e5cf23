package io.berth.engine.rule.spread;

import io.berth.engine.Blame;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.Importance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Whom to blame where at most one of several constraints counts by domains of more than one node,
/// as with zones and hosts.
///
/// Of a zone so many pods go as are too many: the first ones of a list that all its nodes share. Of
/// a node pods go until it has few enough beside the others, after those have lost theirs; each of
/// these spares one of the list. So a node costs what it runs, not what its zone runs.
final class NearbyBlame {

  private static final int NO_CONSTRAINT = -1;

  private final SpreadConstraint[] constraints;
  private final SpreadTest test;
  private final CountedPods counted;
  private final int zonal;
  private final Map<Integer, Leaving> byZone = new HashMap<>();

  private NearbyBlame(
      SpreadConstraint[] constraints, SpreadTest test, CountedPods counted, int zonal) {
    this.constraints = constraints;
    this.test = test;
    this.counted = counted;
    this.zonal = zonal;
  }

  /// `null` where several constraints count by domains of more than one node.
  static @Nullable NearbyBlame of(
      SpreadConstraint[] constraints, SpreadTest test, CountedPods counted) {
    int zonal = NO_CONSTRAINT;
    for (int c = 0; c < constraints.length; c++) {
      if (constraints[c].topology().isShared()) {
        if (zonal != NO_CONSTRAINT) {
          return null;
        }
        zonal = c;
      }
    }
    return new NearbyBlame(constraints, test, counted, zonal);
  }

  /// The node must have all labels.
  @Nullable Blame on(int node) {
    var leaving = zonal == NO_CONSTRAINT ? new Leaving() : leaving(node);
    return new Search(node, leaving).find();
  }

  private Leaving leaving(int node) {
    int zone = constraints[zonal].topology().domainOf(node);
    return byZone.computeIfAbsent(zone, _ -> new Leaving(node));
  }

  /// Who leaves a zone that has too many, in this order: the fullest nodes lose first, so that the
  /// least of them all is lowered late; of equal ones the least important pod goes.
  private final class Leaving {

    final List<RunningPod> pods = new ArrayList<>();
    private final IdentityHashMap<RunningPod, Integer> places = new IdentityHashMap<>();
    // By constraint: how many there are where there are fewest, when so many have left.
    private final List<List<Integer>> fewest = new ArrayList<>();

    /// Nobody has to leave.
    Leaving() {
      for (int c = 0; c < constraints.length; c++) {
        fewest.add(new ArrayList<>(List.of(test.fewest(c))));
      }
    }

    Leaving(int node) {
      this();
      int here = test.count(zonal, constraints[zonal].topology().domainOf(node));
      int excess = constraints[zonal].excess(here, Math.min(here, test.fewest(zonal)));
      var fullestFirst = new PriorityQueue<Host>();
      for (int each : excess > 0 ? counted.nodesNear(zonal, node) : List.<Integer>of()) {
        var host = new Host(each);
        if (!host.pods.isEmpty()) {
          fullestFirst.add(host);
        }
      }
      for (int i = 0; i < excess; i++) {
        var host = fullestFirst.remove();
        leave(host.pods.removeLast(), host);
        if (!host.pods.isEmpty()) {
          fullestFirst.add(host);
        }
      }
    }

    private void leave(RunningPod pod, Host host) {
      places.put(pod, pods.size());
      pods.add(pod);
      int mask = counted.counting(pod);
      for (int c = 0; c < constraints.length; c++) {
        int before = fewest.get(c).getLast();
        if (c != zonal && (mask & (1 << c)) != 0) {
          host.left[c]--;
          before = Math.min(before, host.left[c]);
        }
        fewest.get(c).add(before);
      }
    }

    int place(RunningPod pod) {
      return places.getOrDefault(pod, Integer.MAX_VALUE);
    }

    int fewest(int c, int left) {
      return fewest.get(c).get(left);
    }
  }

  /// A node of a zone that has too many.
  private final class Host implements Comparable<Host> {

    /// Those that may leave, the least important last.
    final List<RunningPod> pods = new ArrayList<>();

    final int[] left = new int[constraints.length];

    Host(int node) {
      counted.on(node, 1 << zonal, pods);
      for (int c = 0; c < constraints.length; c++) {
        int domain = constraints[c].topology().domainOf(node);
        left[c] = c == zonal || domain == Topology.NONE ? 0 : test.count(c, domain);
      }
    }

    @Override
    public int compareTo(Host other) {
      for (int c = 0; c < left.length; c++) {
        if (left[c] != other.left[c]) {
          return Integer.compare(other.left[c], left[c]);
        }
      }
      return Importance.LEAST_FIRST.compare(pods.getLast(), other.pods.getLast());
    }
  }

  /// The search on one node: which pods on it go, and how many of the list.
  private final class Search {

    private final int node;
    private final Leaving leaving;
    private final List<RunningPod> pods = new ArrayList<>();
    private final int[] masks;
    private final boolean[] gone;
    private int fromList;

    Search(int node, Leaving leaving) {
      this.node = node;
      this.leaving = leaving;
      counted.on(node, 0, pods);
      this.masks = pods.stream().mapToInt(counted::counting).toArray();
      this.gone = new boolean[masks.length];
    }

    @Nullable Blame find() {
      fromList = leaving.pods.size();
      for (int skewed = skewed(); skewed != 0; skewed = skewed()) {
        if (!goOne(fromList > 0 ? skewed | 1 << zonal : skewed)) {
          return null;
        }
        shortenList();
      }
      comeBack();
      var parts = new ArrayList<List<RunningPod>>();
      if (fromList > 0) {
        parts.add(leaving.pods.subList(0, fromList));
      }
      var here = new ArrayList<RunningPod>();
      for (int i = 0; i < gone.length; i++) {
        if (gone[i] && !isOnList(i)) {
          here.add(pods.get(i));
        }
      }
      if (!here.isEmpty()) {
        parts.add(here);
      }
      return parts.isEmpty() ? null : new Blame(parts);
    }

    /// A bit for each constraint by node that is violated.
    private int skewed() {
      int skewed = 0;
      for (int c = 0; c < constraints.length; c++) {
        if (c != zonal) {
          int here = here(c);
          int fewest = Math.min(here, leaving.fewest(c, fromList));
          skewed |= constraints[c].isSkewed(here, fewest) ? 1 << c : 0;
        }
      }
      return skewed;
    }

    private int here(int c) {
      int here = test.count(c, constraints[c].topology().domainOf(node));
      for (int i = 0; i < masks.length; i++) {
        here -= (masks[i] & (1 << c)) != 0 && (gone[i] || isOnList(i)) ? 1 : 0;
      }
      return here;
    }

    private boolean isOnList(int i) {
      return leaving.place(pods.get(i)) < fromList;
    }

    /// Has the pod go that most of the violated constraints count; of equals the least important.
    private boolean goOne(int skewed) {
      int best = -1;
      int most = 1;
      for (int i = 0; i < masks.length; i++) {
        int counting = Integer.bitCount(masks[i] & skewed);
        boolean helps = (masks[i] & skewed & ~zonalBit()) != 0;
        if (helps && counting >= most && !gone[i] && !isOnList(i)) {
          most = counting;
          best = i;
        }
      }
      if (best >= 0) {
        gone[best] = true;
      }
      return best >= 0;
    }

    private int zonalBit() {
      return zonal == NO_CONSTRAINT ? 0 : 1 << zonal;
    }

    /// Who goes from the node need not be made up for by the zone.
    private void shortenList() {
      while (fromList > 0 && leftZone(fromList - 1) >= leaving.pods.size()) {
        fromList--;
      }
    }

    private int leftZone(int ofList) {
      int left = ofList;
      for (int i = 0; i < masks.length; i++) {
        boolean counts = gone[i] && (masks[i] & zonalBit()) != 0;
        left += counts && leaving.place(pods.get(i)) >= ofList ? 1 : 0;
      }
      return left;
    }

    private void comeBack() {
      for (int i = 0; i < gone.length; i++) {
        if (gone[i] && !isOnList(i)) {
          gone[i] = false;
          gone[i] = skewed() != 0 || leftZone(fromList) < leaving.pods.size();
        }
      }
    }
  }
}
