package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Plan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which pods would have to go for a group to find its place anywhere in the cluster.
///
/// As in Kubernetes: take out everything of lower priority, place the group, then let victims back
/// in, those first whose eviction exceeds a budget, the more important first, as long as every pod
/// of the group still fits where it was put. A group that is disrupted whole is one victim.
final class GroupPreemption {

  private final Plan plan;
  private final PodGroups groups;

  GroupPreemption(Plan plan, PodGroups groups) {
    this.plan = plan;
    this.groups = groups;
  }

  /// What preemption can do for a group.
  sealed interface Result {

    String message();

    /// Where each of the pods would go, by `namespace/name`, once the victims are gone.
    record Found(Map<String, String> nodes, List<Pod> victims) implements Result {

      @Override
      public String message() {
        return "found a placement for podgroup, preempting %d victims".formatted(victims.size());
      }
    }

    /// Victims of an earlier attempt are still on their way out.
    record Ongoing(Map<String, String> nodes) implements Result {

      @Override
      public String message() {
        return "ongoing preemption on nominated nodes";
      }
    }

    record Nothing(String message) implements Result {}
  }

  /// Leaves the plan as it finds it.
  Result preempt(List<Pod> pods, GroupPlacement placement, Collection<Pod> running) {
    var victims = potentialVictims(pods.getFirst().priority(), running);
    if (victims.isEmpty()) {
      return new Result.Nothing("No preemption victims found for incoming preemptor");
    }
    int start = plan.checkpoint();
    // Asked while the victims are there: their own terms count, too.
    boolean local = pods.stream().allMatch(plan::isDecidedByNodesAlone);
    var exceeding = plan.exceedingBudgets(victims.stream().flatMap(Victim::keys).toList());
    victims.forEach(this::takeOut);
    var result =
        switch (placement.place(pods)) {
          case GroupPlacement.Result.Placed placed -> {
            var seats = seats(pods, placed.decisions());
            var left = new ArrayList<Victim>();
            var near = local ? atSeats(victims, seats) : victims;
            reprieve(near, v -> v.keys().anyMatch(exceeding::contains), seats, left);
            reprieve(near, v -> v.keys().noneMatch(exceeding::contains), seats, left);
            left.sort(Victim.IMPORTANCE);
            var evicted = left.stream().flatMap(victim -> victim.pods.stream()).toList();
            yield new Result.Found(nodes(seats), evicted);
          }
          case GroupPlacement.Result.Unplaced no -> new Result.Nothing(no.message());
          case GroupPlacement.Result.Failed failed -> new Result.Nothing(failed.error());
        };
    plan.rollback(start);
    return result;
  }

  /// Everything of lower priority, more important first.
  private List<Victim> potentialVictims(int priority, Collection<Pod> running) {
    var units = new LinkedHashMap<String, Victim>();
    for (var pod : running) {
      if (pod.priority() < priority) {
        boolean whole = groups.isDisruptedWhole(pod);
        var unit = whole ? "group " + PodGroups.keyOf(pod) : pod.key();
        units.computeIfAbsent(unit, _ -> new Victim(whole)).pods.add(pod);
      }
    }
    var victims = new ArrayList<>(units.values());
    victims.sort(Victim.IMPORTANCE);
    return victims;
  }

  /// Those that have a pod on a node where the group is; the others go back, they harm nobody.
  private static List<Victim> atSeats(List<Victim> victims, List<Seat> seats) {
    var nodes = seats.stream().map(Seat::node).collect(Collectors.toSet());
    return victims.stream()
        .filter(victim -> victim.pods.stream().anyMatch(pod -> nodes.contains(pod.nodeName())))
        .toList();
  }

  private void reprieve(
      List<Victim> victims, Predicate<Victim> which, List<Seat> seats, List<Victim> left) {
    for (var victim : victims) {
      if (which.test(victim)) {
        int before = plan.checkpoint();
        victim.pods.forEach(pod -> plan.place(pod, pod.nodeName()));
        if (!allStillFit(seats)) {
          plan.rollback(before);
          left.add(victim);
        }
      }
    }
  }

  // Each pod of the group is asked about with those before it in place and those after it not.
  private boolean allStillFit(List<Seat> seats) {
    int before = plan.checkpoint();
    seats.forEach(seat -> plan.evict(seat.pod.namespace(), seat.pod.name()));
    boolean fits = true;
    for (int i = 0; fits && i < seats.size(); i++) {
      var seat = seats.get(i);
      fits = plan.fits(seat.pod, seat.node);
      plan.place(seat.pod, seat.node);
    }
    plan.rollback(before);
    return fits;
  }

  private void takeOut(Victim victim) {
    victim.pods.forEach(pod -> plan.evict(pod.namespace(), pod.name()));
  }

  private static List<Seat> seats(List<Pod> pods, List<Decision> decisions) {
    var seats = new ArrayList<Seat>();
    for (int i = 0; i < decisions.size(); i++) {
      if (decisions.get(i) instanceof Decision.Placed placed) {
        seats.add(new Seat(pods.get(i), placed.node()));
      }
    }
    return seats;
  }

  private static Map<String, String> nodes(List<Seat> seats) {
    var nodes = new LinkedHashMap<String, String>();
    seats.forEach(seat -> nodes.put(seat.pod.key(), seat.node));
    return nodes;
  }

  private record Seat(Pod pod, String node) {}

  /// A pod, or a group that goes as one.
  private static final class Victim {

    static final Comparator<Victim> IMPORTANCE =
        Comparator.comparingInt(Victim::priority)
            .thenComparing(victim -> victim.whole)
            .thenComparingInt(victim -> victim.pods.size())
            .reversed()
            .thenComparingLong(Victim::startMillis)
            .thenComparing(victim -> victim.pods.getFirst().key());

    private final boolean whole;
    private final List<Pod> pods = new ArrayList<>();

    Victim(boolean whole) {
      this.whole = whole;
    }

    Stream<String> keys() {
      return pods.stream().map(Pod::key);
    }

    int priority() {
      return pods.getFirst().priority();
    }

    long startMillis() {
      long earliest = Long.MAX_VALUE;
      for (var pod : pods) {
        var start = pod.status().startTime();
        earliest = start == null ? earliest : Math.min(earliest, start.toEpochMilli());
      }
      return earliest;
    }
  }
}
