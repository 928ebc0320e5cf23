package io.berth.conformance.kai;

import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.engine.Engine;
import io.berth.quota.Arbiter;
import io.berth.quota.Gang;
import io.berth.quota.Gang.Member;
import io.berth.quota.Gang.PodSet;
import io.berth.quota.Gang.Running;
import io.berth.quota.NodePool;
import io.berth.quota.Outcome;
import io.berth.quota.Outcome.Placement;
import io.berth.quota.Situation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A recorded situation in a cluster of its own, where passes follow each other until nothing
/// changes. Who gives way is gone in the next pass, and who waits for that starts then.
final class Scene {

  static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  static final String POOL = "pool";
  static final String NAMESPACE = "ns";

  private static final int MOST_PASSES = 30;

  private final Engine engine = new Engine(Arbiter.CONFIGURATION, 1);
  private final Arbiter arbiter = new Arbiter(engine);
  private final RecordedUnits units;
  private final List<Node> nodes;
  private final Map<String, Gang> gangs = new LinkedHashMap<>();
  private final Set<String> neverGone = new TreeSet<>();
  private final Set<String> evicted = new TreeSet<>();
  private List<Placement> promised = List.of();
  private Instant now = START;

  Scene(Recording recording) {
    this.units = RecordedUnits.of(recording);
    this.nodes = RecordedNodes.of(recording);
    nodes.forEach(engine::put);
    for (var gang : RecordedGangs.of(recording)) {
      gangs.put(gang.id(), gang);
      gang.sets().stream()
          .flatMap(set -> set.pods().stream())
          .filter(Member::isPlaced)
          .forEach(member -> engine.put(member.pod()));
    }
    for (var job : recording.tree().trees("Jobs")) {
      if (job.flag("DeleteInTest")) {
        neverGone.add(job.textOrEmpty("Name"));
      }
    }
  }

  /// Returns whether it came to rest.
  boolean run() {
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      var outcome = arbiter.decide(situation());
      boolean ending = endTerminating();
      boolean quiet = outcome.placements().isEmpty() && outcome.evictions().isEmpty() && !ending;
      if (quiet && !anyIsStale()) {
        return true;
      }
      apply(outcome);
      now = now.plus(quiet ? Duration.ofMinutes(2) : Duration.ofSeconds(1));
    }
    return false;
  }

  /// Notes of gangs that run with less than their minimum since when they do.
  private boolean anyIsStale() {
    boolean any = false;
    for (var gang : List.copyOf(gangs.values())) {
      var running = gang.running();
      if (running != null && isBelowMinimum(gang)) {
        any = true;
        var since = running.staleSince() == null ? now : running.staleSince();
        gangs.put(gang.id(), with(gang, gang.sets(), new Running(POOL, running.since(), since)));
      }
    }
    return any;
  }

  private static boolean isBelowMinimum(Gang gang) {
    return gang.sets().stream()
        .anyMatch(set -> set.pods().stream().filter(Member::isPlaced).count() < set.min());
  }

  private Situation situation() {
    var pool = NodePool.without(POOL, "no-node-has-this-label").withPatience(Duration.ofDays(1000));
    return new Situation(
        now,
        units.departments(),
        units.projects(),
        List.of(pool),
        nodes,
        List.copyOf(gangs.values()),
        Map.of(),
        List.of(),
        promised);
  }

  /// Pods that were ending before come back as new ones.
  private boolean endTerminating() {
    boolean any = false;
    for (var gang : List.copyOf(gangs.values())) {
      if (!neverGone.contains(gang.id())) {
        for (var member : members(gang)) {
          if (member.pod().terminating()) {
            any = true;
            evicted.add(gang.id());
            change(gang.id(), member.pod().key(), _ -> "", List.of());
          }
        }
      }
    }
    return any;
  }

  private void apply(Outcome outcome) {
    promised = outcome.promised();
    for (var eviction : outcome.evictions()) {
      for (var pod : eviction.pods()) {
        evicted.add(eviction.gang());
        change(eviction.gang(), pod, _ -> "", List.of());
      }
    }
    for (var placement : outcome.placements()) {
      if (placement.waitsFor().isEmpty()) {
        placement
            .pods()
            .forEach(pod ->
                change(
                    placement.gang(),
                    pod.namespace() + "/" + pod.pod(),
                    _ -> pod.node(),
                    pod.devices()));
      }
    }
  }

  private void change(String id, String key, UnaryOperator<String> node, List<Integer> devices) {
    var gang = Objects.requireNonNull(gangs.get(id));
    var sets = new ArrayList<PodSet>();
    for (var set : gang.sets()) {
      var members = new ArrayList<Member>();
      for (var member : set.pods()) {
        members.add(
            member.pod().key().equals(key)
                ? new Member(moved(member.pod(), node.apply("")), devices)
                : member);
      }
      sets.add(new PodSet(set.name(), set.min(), set.gpu(), members));
    }
    boolean placed = sets.stream().flatMap(set -> set.pods().stream()).anyMatch(Member::isPlaced);
    var running = gang.running() == null ? new Running(POOL, now, null) : gang.running();
    gangs.put(id, with(gang, sets, placed ? running : null));
  }

  private Pod moved(Pod pod, String node) {
    var moved =
        new Pod(
            pod.namespace(),
            pod.name(),
            pod.uid(),
            pod.labels(),
            null,
            false,
            node,
            pod.spec(),
            pod.status());
    if (node.isEmpty()) {
      engine.remove(pod.reference());
    } else {
      engine.put(moved);
    }
    return moved;
  }

  private static Gang with(Gang gang, List<PodSet> sets, @Nullable Running running) {
    return new Gang(
        gang.id(),
        gang.name(),
        gang.project(),
        gang.pools(),
        gang.priority(),
        gang.preemptibility(),
        gang.createdAt(),
        gang.waitingSince(),
        sets,
        running,
        gang.topology());
  }

  private static List<Member> members(Gang gang) {
    return gang.sets().stream().flatMap(set -> set.pods().stream()).toList();
  }

  /// By pod, the node it runs on; `""` for those that wait.
  Map<String, String> nodesOfPods() {
    var found = new LinkedHashMap<String, String>();
    for (var gang : gangs.values()) {
      for (var member : members(gang)) {
        var pod = member.pod();
        found.put(pod.name(), pod.terminating() ? "" : pod.nodeName());
      }
    }
    return found;
  }

  /// The jobs any pod of which had to leave its place.
  Set<String> evicted() {
    return evicted;
  }
}
