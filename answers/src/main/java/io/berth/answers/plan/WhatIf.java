package io.berth.answers.plan;

import io.berth.answers.explain.PodExplanation;
import io.berth.answers.source.Survey;
import io.berth.api.Node;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Takes steps to a cluster that is only imagined, and says what becomes of its pods.
///
/// The engine is left as it was.
public final class WhatIf {

  private final Survey survey;
  private final Engine engine;
  private final Chronicle chronicle;

  /// `engine` knows the survey, and nothing else.
  public WhatIf(Survey survey, Engine engine, Chronicle chronicle) {
    this.survey = survey;
    this.engine = engine;
    this.chronicle = chronicle;
  }

  public Forecast after(List<PlanStep> steps) {
    try (var cluster = new ImaginedCluster(survey, engine, chronicle)) {
      begin(cluster);
      var before = new State(cluster);
      var kept = new ArrayList<String>();
      for (var step : steps) {
        kept.addAll(take(step, cluster));
      }
      return forecast(before, cluster, kept);
    }
  }

  /// Owners of files whose pods nobody has made yet make them, and whoever can be placed is.
  private static void begin(ImaginedCluster cluster) {
    var owners = new Owners(cluster);
    for (var manifest : cluster.manifests()) {
      boolean yetToCome =
          !manifest.origin().isCluster()
              && manifest.template().isPresent()
              && !manifest.kind().equals("DaemonSet")
              && !manifest.kind().equals("CronJob")
              && manifest.tree().trees("metadata", "ownerReferences").isEmpty()
              && cluster.podsOf(manifest.reference()).isEmpty();
      if (yetToCome) {
        owners.scale(manifest.reference(), Replicas.of(manifest), cluster.survey());
      }
    }
    new Daemons(cluster).settle();
    new Settling(cluster).settle();
  }

  /// The pods that a budget kept where they were.
  private static List<String> take(PlanStep step, ImaginedCluster cluster) {
    switch (step) {
      case PlanStep.Apply(var manifests) -> new Application(cluster).apply(manifests);
      case PlanStep.AddNodes(var manifests) -> new Application(cluster).apply(manifests);
      case PlanStep.AddPod(var pod) -> new Application(cluster).apply(List.of(pod));
      case PlanStep.Delete(var object) -> delete(object, cluster);
      case PlanStep.Scale(var object, long replicas) ->
          new Owners(cluster).scale(object, replicas, cluster.survey());
      case PlanStep.Lose(var nodes) -> new Outage(cluster).strike(cluster.nodes(nodes));
      case PlanStep.Drain(var nodes) -> {
        return new Drainage(cluster).drain(cluster.nodes(nodes));
      }
      case PlanStep.Cordon(var nodes, boolean closed) ->
          cluster
              .nodes(nodes)
              .forEach(node ->
                  cluster.putNode(ChangedNodes.cordoned(cluster.nodeTree(node.name()), closed)));
      case PlanStep.Relabel change ->
          cluster.putNode(ChangedNodes.relabelled(cluster.nodeTree(change.node()), change));
      case PlanStep.Retaint change -> retaint(change, cluster);
      case PlanStep.Passes _ -> {}
    }
    new Daemons(cluster).settle();
    new Settling(cluster).settle();
    return List.of();
  }

  private static void retaint(PlanStep.Retaint change, ImaginedCluster cluster) {
    cluster.putNode(ChangedNodes.retainted(cluster.nodeTree(change.node()), change));
    var node = cluster.findNode(change.node()).orElseThrow();
    for (var pod : cluster.podsOn(node.name())) {
      if (Outage.patience(pod, node) >= 0 && !pod.leftOver()) {
        new Owners(cluster).evict(pod);
      }
    }
  }

  private static void delete(ObjectReference object, ImaginedCluster cluster) {
    var owners = new Owners(cluster);
    switch (object.kind()) {
      case Pod.KIND ->
          cluster.findPod(object.key()).ifPresentOrElse(owners::evict, () -> missing(object));
      case Node.KIND -> {
        cluster.nodeTree(object.name());
        var pods = cluster.podsOn(object.name());
        cluster.remove(object);
        pods.forEach(owners::evict);
      }
      default -> {
        var pods = cluster.podsOf(object);
        if (pods.isEmpty() && cluster.find(object).isEmpty()) {
          missing(object);
        }
        pods.forEach(cluster::vanish);
        cluster.remove(object);
      }
    }
  }

  private static void missing(ObjectReference object) {
    throw new PlanStepException("there is no %s %s".formatted(object.kind(), object.key()));
  }

  private static Forecast forecast(State before, ImaginedCluster cluster, List<String> kept) {
    var after = new State(cluster);
    var gone = new ArrayList<String>();
    before.placed.forEach((lineage, pod) -> {
      if (!after.placed.containsKey(lineage) && !after.waiting.containsKey(lineage)) {
        gone.add(pod.key());
      }
    });
    var pending = new ArrayList<Resident>();
    var still = new ArrayList<String>();
    after.waiting.forEach((lineage, pod) -> {
      if (before.waiting.containsKey(lineage)) {
        still.add(pod.key());
      } else {
        pending.add(pod);
      }
    });
    return new Forecast(
        moves(before, after),
        explained(pending, cluster),
        still,
        gone,
        kept,
        Gauge.changes(before.gauge.budgets(), after.gauge.budgets()),
        Gauge.changes(before.gauge.skew(), after.gauge.skew()),
        Gauge.changes(before.gauge.headroom(), after.gauge.headroom()),
        after.places());
  }

  private static List<Forecast.Move> moves(State before, State after) {
    var moves = new ArrayList<Forecast.Move>();
    after.placed.forEach((lineage, pod) -> {
      var was = before.placed.get(lineage);
      if (was == null || !was.node().equals(pod.node())) {
        var name = was == null ? pod.key() : was.key();
        var from = was == null ? "" : was.node();
        moves.add(new Forecast.Move(name, Gauge.title(pod), from, pod.node()));
      }
    });
    return moves;
  }

  private static List<PodExplanation> explained(List<Resident> pending, ImaginedCluster cluster) {
    return new PendingPods(cluster).explain(pending);
  }

  /// Who is where, by lineage.
  private static final class State {
    final Map<Integer, Resident> placed = new TreeMap<>();
    final Map<Integer, Resident> waiting = new TreeMap<>();
    final Gauge gauge;

    State(ImaginedCluster cluster) {
      for (var pod : cluster.pods()) {
        if (!pod.leftOver()) {
          (pod.isWaiting() ? waiting : placed).put(pod.lineage(), pod);
        }
      }
      gauge = Gauge.of(cluster);
    }

    Map<String, String> places() {
      var places = new TreeMap<String, String>();
      placed.values().forEach(pod -> places.put(pod.key(), pod.node()));
      return places;
    }
  }
}
