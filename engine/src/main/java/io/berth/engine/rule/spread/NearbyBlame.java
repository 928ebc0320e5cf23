package io.berth.engine.rule.spread;

import io.berth.engine.Blame;
import io.berth.engine.model.RunningPod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Whom to blame where at most one of several constraints counts by domains of more than one node,
/// as with zones and hosts.
///
/// A zone that has too many loses its least important pods, the same for all its nodes. Where that
/// leaves a node with too many, more of its own go, and the fewer of the others: who goes elsewhere
/// may lower the least count of all, which is why the number of others is searched for. So a node
/// costs what it runs, not what its zone runs.
final class NearbyBlame {

  private static final int NO_CONSTRAINT = -1;

  private final SpreadConstraint[] constraints;
  private final SpreadTest test;
  private final CountedPods counted;
  private final int zonal;
  private final Map<Integer, Crowd> byZone = new HashMap<>();

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
    var crowd =
        zonal == NO_CONSTRAINT
            ? new Crowd(node, 0)
            : byZone.computeIfAbsent(
                constraints[zonal].topology().domainOf(node), _ -> new Crowd(node, excess(node)));
    return new Search(node, crowd).find();
  }

  private int excess(int node) {
    int here = test.count(zonal, constraints[zonal].topology().domainOf(node));
    return Math.max(0, constraints[zonal].excess(here, Math.min(here, test.fewest(zonal))));
  }

  /// A zone, by how many pods it has too many, and who would leave it.
  private final class Crowd {

    final int excess;
    final Departures leastImportant;
    private final Departures.Zone zone;
    private @Nullable Departures evenly;

    Crowd(int node, int excess) {
      this.excess = excess;
      this.zone = new Departures.Zone(constraints, test, counted, zonal, node);
      this.leastImportant = Departures.leastImportant(zone, excess);
    }

    /// Enough to leave out those of whichever node is asked about.
    Departures evenly() {
      var known = evenly;
      if (known == null) {
        known = Departures.evenly(zone, excess);
        evenly = known;
      }
      return known;
    }
  }

  /// So many pods of others, and these of its own.
  private record Choice(int others, List<RunningPod> own) {

    int size() {
      return others + own.size();
    }
  }

  /// The search on one node: how many pods of others go, and which of its own.
  private final class Search {

    private final int node;
    private final Crowd crowd;
    private final List<RunningPod> own = new ArrayList<>();
    private final int[] masks;

    Search(int node, Crowd crowd) {
      this.node = node;
      this.crowd = crowd;
      counted.on(node, 0, own);
      this.masks = own.stream().mapToInt(counted::counting).toArray();
    }

    @Nullable Blame find() {
      return isEnough(crowd.leastImportant)
          ? blame(List.of(crowd.leastImportant.pods()))
          : smallest(crowd.evenly());
    }

    private static @Nullable Blame blame(List<List<RunningPod>> parts) {
      var some = parts.stream().filter(part -> !part.isEmpty()).toList();
      return some.isEmpty() ? null : new Blame(some);
    }

    /// Whether no constraint by node objects once all of these have left.
    private boolean isEnough(Departures all) {
      int[] needs = needs(all, all.pods().size());
      for (int i = 0; i < masks.length; i++) {
        if (all.place(own.get(i)) < Integer.MAX_VALUE) {
          fulfil(needs, masks[i]);
        }
      }
      return isFulfilled(needs);
    }

    /// How many own pods each constraint by node must lose when the first `count` have left.
    private int[] needs(Departures departures, int count) {
      int[] needs = new int[constraints.length];
      for (int c = 0; c < needs.length; c++) {
        if (c != zonal) {
          int here = test.count(c, constraints[c].topology().domainOf(node));
          int fewest = Math.min(test.fewest(c, here), departures.fewest(c, count, node));
          needs[c] = constraints[c].excess(here, Math.min(here, fewest));
        }
      }
      return needs;
    }

    /// Of others so many, and of its own as few, that together they are fewest.
    private @Nullable Blame smallest(Departures evenly) {
      var placesOfOwn = placesOfOwn(evenly);
      int fromOthers = Math.min(crowd.excess, evenly.pods().size() - placesOfOwn.size());
      int fewestOthers = Math.max(0, crowd.excess - ownInZone());
      int least = mostNeeded(needs(evenly, 0));
      // Mostly the pods that the node must lose are among those that the zone must lose.
      int guess = Math.clamp((long) crowd.excess - least, fewestOthers, fromOthers);
      var best = choice(evenly, placesOfOwn, guess);
      for (int others = fromOthers;
          others >= fewestOthers && (best == null || best.size() > Math.max(crowd.excess, least));
          others--) {
        var choice = choice(evenly, placesOfOwn, others);
        if (choice != null && (best == null || choice.size() < best.size())) {
          best = choice;
        }
      }
      return best == null ? null : blame(parts(evenly, placesOfOwn, best));
    }

    private int ownInZone() {
      int count = 0;
      for (int mask : masks) {
        count += zonal != NO_CONSTRAINT && (mask & (1 << zonal)) != 0 ? 1 : 0;
      }
      return count;
    }

    /// Where own pods stand among the departures, as far as they do.
    private List<Integer> placesOfOwn(Departures departures) {
      var places = new ArrayList<Integer>();
      for (var pod : own) {
        int place = departures.place(pod);
        if (place < Integer.MAX_VALUE) {
          places.add(place);
        }
      }
      places.sort(Comparator.naturalOrder());
      return places;
    }

    private static int mostNeeded(int[] needs) {
      int most = 0;
      for (int need : needs) {
        most = Math.max(most, need);
      }
      return most;
    }

    private @Nullable Choice choice(Departures evenly, List<Integer> placesOfOwn, int others) {
      int[] needs = needs(evenly, prefix(placesOfOwn, others));
      if (zonal != NO_CONSTRAINT) {
        needs[zonal] = crowd.excess - others;
      }
      var going = going(needs);
      return going == null ? null : new Choice(others, going);
    }

    /// How long the beginning of the order is that has so many pods of others.
    private static int prefix(List<Integer> placesOfOwn, int others) {
      int prefix = others;
      for (int place : placesOfOwn) {
        prefix += place < prefix ? 1 : 0;
      }
      return prefix;
    }

    private static List<List<RunningPod>> parts(
        Departures evenly, List<Integer> placesOfOwn, Choice choice) {
      var parts = new ArrayList<List<RunningPod>>(List.of(choice.own));
      int end = prefix(placesOfOwn, choice.others);
      int from = 0;
      for (int place : placesOfOwn) {
        if (place < end) {
          parts.add(evenly.pods().subList(from, place));
          from = place + 1;
        }
      }
      parts.add(evenly.pods().subList(from, end));
      return parts;
    }

    /// Own pods that fulfil the needs: each time one that most of them count, of equals the least
    /// important, without those that turn out not to be needed.
    private @Nullable List<RunningPod> going(int[] needs) {
      boolean[] going = new boolean[masks.length];
      while (!isFulfilled(needs)) {
        int next = next(needs, going);
        if (next < 0) {
          return null;
        }
        going[next] = true;
        fulfil(needs, masks[next]);
      }
      var pods = new ArrayList<RunningPod>();
      for (int i = 0; i < going.length; i++) {
        if (going[i] && isSpare(needs, masks[i])) {
          takeBack(needs, masks[i]);
        } else if (going[i]) {
          pods.add(own.get(i));
        }
      }
      return pods;
    }

    private int next(int[] needs, boolean[] going) {
      int needed = 0;
      for (int c = 0; c < needs.length; c++) {
        needed |= needs[c] > 0 ? 1 << c : 0;
      }
      int best = -1;
      int most = 1;
      for (int i = 0; i < masks.length; i++) {
        int counting = Integer.bitCount(masks[i] & needed);
        if (counting >= most && !going[i]) {
          most = counting;
          best = i;
        }
      }
      return best;
    }

    private static void fulfil(int[] needs, int mask) {
      for (int c = 0; c < needs.length; c++) {
        needs[c] -= (mask & (1 << c)) != 0 ? 1 : 0;
      }
    }

    private static void takeBack(int[] needs, int mask) {
      for (int c = 0; c < needs.length; c++) {
        needs[c] += (mask & (1 << c)) != 0 ? 1 : 0;
      }
    }

    private static boolean isSpare(int[] needs, int mask) {
      for (int c = 0; c < needs.length; c++) {
        if ((mask & (1 << c)) != 0 && needs[c] >= 0) {
          return false;
        }
      }
      return true;
    }

    private static boolean isFulfilled(int[] needs) {
      for (int need : needs) {
        if (need > 0) {
          return false;
        }
      }
      return true;
    }
  }
}
