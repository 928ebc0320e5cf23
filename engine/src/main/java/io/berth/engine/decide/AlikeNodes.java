package io.berth.engine.decide;

import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.model.PodList;
import io.berth.engine.model.RunningPod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Runs one trial for nodes that no rule can tell apart: same offer, same use, same possible
/// victims in the same order of importance.
///
/// Only for rules that look at nodes alone, and without disruption budgets. A node with host ports
/// in use, or one that some rule refuses for itself, has its own trial.
final class AlikeNodes {

  private final Cycle cycle;
  private final ClusterModel cluster;
  private final NodeTable nodes;
  private final int[] scalars;
  private final Map<Situation, Remembered> known = new HashMap<>();

  /// What decides a trial; victims are shapes, by importance.
  private record Situation(List<Object> facts) {}

  /// The objection, or the places of the victims among the possible ones.
  private record Remembered(@Nullable Rejection rejection, int[] places) {}

  AlikeNodes(Cycle cycle, ClusterModel cluster) {
    this.cycle = cycle;
    this.cluster = cluster;
    this.nodes = cluster.nodes();
    this.scalars = cycle.shape().requests().scalars();
  }

  Trial.Outcome outcome(int node) {
    var pods = nodes.pods(node);
    int first = pods.firstBelow(cycle.shape().priority());
    if (first == pods.size()) {
      return Trial.Outcome.WITHOUT_VICTIMS;
    }
    if (nodes.ports(node) != null || cycle.isRefusedByNode(node)) {
      return new Trial(cycle, cluster, node).outcome();
    }
    var situation = situation(node, pods, first);
    var remembered = known.get(situation);
    if (remembered == null) {
      var outcome = new Trial(cycle, cluster, node).outcome();
      known.put(situation, new Remembered(outcome.rejection(), places(outcome, pods, first)));
      return outcome;
    }
    return new Trial.Outcome(remembered.rejection(), victims(remembered, pods, first));
  }

  private Situation situation(int node, PodList pods, int first) {
    var facts = new ArrayList<Object>(12 + pods.size() - first);
    facts.add(nodes.cpuAllocatable(node));
    facts.add(nodes.cpuRequested(node));
    facts.add(nodes.memoryAllocatable(node));
    facts.add(nodes.memoryRequested(node));
    facts.add(nodes.ephemeralAllocatable(node));
    facts.add(nodes.ephemeralRequested(node));
    facts.add(nodes.podsAllocatable(node));
    facts.add(pods.size());
    for (int scalar : scalars) {
      facts.add(nodes.scalarAllocatable(scalar, node));
      facts.add(nodes.scalarRequested(scalar, node));
    }
    for (int i = first; i < pods.size(); i++) {
      facts.add(pods.get(i).shape());
    }
    return new Situation(facts);
  }

  private static int[] places(Trial.Outcome outcome, PodList pods, int first) {
    var victims = outcome.victims().pods();
    var places = new int[victims.size()];
    int found = 0;
    for (int i = first; i < pods.size() && found < places.length; i++) {
      if (pods.get(i) == victims.get(found)) {
        places[found++] = i - first;
      }
    }
    return places;
  }

  private static Victims victims(Remembered remembered, PodList pods, int first) {
    var victims = new ArrayList<RunningPod>(remembered.places().length);
    for (int place : remembered.places()) {
      victims.add(pods.get(first + place));
    }
    return new Victims(victims, 0);
  }
}
