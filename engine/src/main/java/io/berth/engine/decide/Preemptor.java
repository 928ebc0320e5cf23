package io.berth.engine.decide;

import io.berth.api.Pod;
import io.berth.engine.Code;
import io.berth.engine.Extension;
import io.berth.engine.Preemption;
import io.berth.engine.Preemption.Candidate;
import io.berth.engine.Preemption.Outcome;
import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.rule.NodeTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// DefaultPreemption: which pods would have to go for a pod to fit, and on which node that hurts
/// least.
///
/// Nothing is evicted here: each [Trial] takes pods off the columns of one node and puts them back.
final class Preemptor {

  private static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";

  private final Pod pod;
  private final Cycle cycle;
  private final ClusterModel cluster;
  private final Extension extension;

  Preemptor(Pod pod, Cycle cycle, ClusterModel cluster, Extension extension) {
    this.extension = extension;
    this.pod = pod;
    this.cycle = cycle;
    this.cluster = cluster;
  }

  /// Everything preemption can do for the pod, given the nodes where eviction may help.
  Preemption preempt(int[] nodes, @Nullable Rejection onNominatedNode) {
    var refusal = refusal(onNominatedNode);
    if (refusal != null) {
      return refused(refusal);
    }
    var victims = new TreeMap<String, Victims>();
    var rejected = new TreeMap<String, Rejection>();
    for (int node : nodes) {
      var name = cluster.nodes().name(node);
      var trial = new Trial(cycle, cluster, node);
      var rejection = trial.run();
      if (rejection == null) {
        victims.put(name, trial.victims());
      } else {
        rejected.put(name, rejection);
      }
    }
    var left = victims.isEmpty() ? victims : agreed(victims);
    return left.isEmpty() ? none(rejected) : best(left, rejected);
  }

  /// What the extension leaves of the candidates.
  private Map<String, Victims> agreed(Map<String, Victims> victims) {
    var candidates = new TreeMap<String, Candidate>();
    victims.forEach((node, each) -> candidates.put(node, each.candidate()));
    var left = new TreeMap<String, Victims>();
    extension
        .preempt(candidates)
        .forEach((node, candidate) -> {
          var found = victims.get(node);
          if (found != null) {
            left.put(node, found.only(candidate));
          }
        });
    return left;
  }

  /// The same choice without the rest: the node, its victims, the message.
  ///
  /// Nodes on which the same is offered, taken and up for eviction need only one trial, as long as
  /// no rule looks beyond the node.
  Preemption choose(IntPredicate mayHelp, @Nullable Rejection onNominatedNode) {
    var refusal = refusal(onNominatedNode);
    if (refusal != null) {
      return refused(refusal);
    }
    var alike =
        cycle.dependsOnNodesAlone()
                && cycle.facts() != NodeTest.NO_FACTS
                && cluster.budgets().isEmpty()
            ? new AlikeNodes(cycle, cluster)
            : null;
    var choice = new VictimChoice(cluster.nodes());
    for (int node = 0; node < cluster.nodes().limit(); node++) {
      if (!cluster.nodes().isPresent(node) || !mayHelp.test(node)) {
        continue;
      }
      if (alike == null) {
        choice.take(node, new Trial(cycle, cluster, node).outcome());
      } else {
        alike.visit(node, choice);
      }
    }
    if (choice.best() < 0) {
      var rejected = new HashMap<Rejection, Integer>();
      choice.forEachRejection(rejected::put);
      return nothing(rejected, choice.tried());
    }
    var name = cluster.nodes().name(choice.best());
    var victims = new Trial(cycle, cluster, choice.best()).outcome().victims();
    return found(name, victims, Map.of(name, victims.candidate()), List.of(name), Map.of());
  }

  private @Nullable String refusal(@Nullable Rejection onNominatedNode) {
    if (pod.spec().neverPreempts()) {
      return "not eligible due to preemptionPolicy=Never.";
    }
    int nominated = cluster.nodes().find(pod.status().nominatedNodeName());
    if (nominated < 0 || onNominatedNode == null || !Cycle.mayHelp(onNominatedNode)) {
      return null;
    }
    var pods = cluster.nodes().pods(nominated);
    for (int i = pods.firstBelow(cycle.shape().priority()); i < pods.size(); i++) {
      var victim = pods.get(i).shape();
      if (victim.terminating() && victim.preemptedByScheduler()) {
        return "not eligible due to a terminating pod on the nominated node.";
      }
    }
    return null;
  }

  private static Preemption refused(String refusal) {
    return new Preemption(
        Outcome.UNSCHEDULABLE, "preemption: " + refusal, Map.of(), List.of(), Map.of(), null, true);
  }

  private Preemption none(Map<String, Rejection> rejected) {
    Map<Rejection, Integer> counts = new HashMap<>();
    rejected.values().forEach(rejection -> counts.merge(rejection, 1, Integer::sum));
    var nothing = nothing(counts, rejected.size());
    return new Preemption(
        nothing.outcome(),
        nothing.message(),
        Map.of(),
        List.of(),
        rejected,
        null,
        nothing.keepsNomination());
  }

  private Preemption nothing(Map<Rejection, Integer> rejected, int tried) {
    var errors = new TreeSet<String>();
    for (var rejection : rejected.keySet()) {
      if (rejection.code() == Code.ERROR) {
        errors.addAll(rejection.reasons());
      }
    }
    if (!errors.isEmpty()) {
      return failed(errors);
    }
    int nodes = cluster.nodes().count();
    var message = new Message(nodes);
    rejected.forEach(message::add);
    message.add(NOT_HELPFUL, nodes - tried);
    return new Preemption(
        Outcome.UNSCHEDULABLE,
        "preemption: " + message,
        Map.of(),
        List.of(),
        Map.of(),
        null,
        false);
  }

  private static Preemption failed(Set<String> errors) {
    var message =
        errors.size() == 1 ? errors.iterator().next() : "[" + String.join(", ", errors) + "]";
    return new Preemption(
        Outcome.ERROR, "preemption: " + message, Map.of(), List.of(), Map.of(), null, true);
  }

  private static Preemption best(Map<String, Victims> victims, Map<String, Rejection> rejected) {
    var chosen = new ArrayList<String>();
    Victims least = null;
    var candidates = new TreeMap<String, Candidate>();
    for (var entry : victims.entrySet()) {
      var each = entry.getValue();
      candidates.put(entry.getKey(), each.candidate());
      int order = least == null ? -1 : Victims.LEAST_HARM.compare(each, least);
      if (order < 0) {
        chosen.clear();
        least = each;
      }
      if (order <= 0) {
        chosen.add(entry.getKey());
      }
    }
    if (least == null) {
      throw new IllegalStateException("no victims to choose from");
    }
    return found(chosen.get(0), least, candidates, chosen, rejected);
  }

  private static Preemption found(
      String node,
      Victims victims,
      Map<String, Candidate> candidates,
      List<String> chosen,
      Map<String, Rejection> rejected) {
    var message =
        "preemption: found a potential placement for pod on node %s, preempting %d victims"
            .formatted(node, victims.pods().size());
    return new Preemption(Outcome.SUCCESS, message, candidates, chosen, rejected, node, false);
  }
}
