package io.berth.engine.decide;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Examination;
import io.berth.engine.Examination.NodeRejection;
import io.berth.engine.Examination.Restriction;
import io.berth.engine.Examination.ScoreColumn;
import io.berth.engine.Extension;
import io.berth.engine.Preemption;
import io.berth.engine.Preemption.Outcome;
import io.berth.engine.Rejection;
import io.berth.engine.Summand;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.CycleException;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.Profile;
import io.berth.engine.rule.ScoreRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Takes a decision the long way: every rule on every node, nothing remembered, all of it shown.
final class Examiner {

  private final ClusterModel cluster;
  private final NodeTable nodes;
  private final Profile profile;
  private final TieBreak tieBreak;
  private final Extension extension;
  private final Pod pod;
  private final Shape shape;

  private final Map<String, NodeRejection> infeasible = new TreeMap<>();
  private final Map<String, ScoreColumn> scores = new LinkedHashMap<>();
  private int[] feasible = {};
  private long[] total = {};
  private @Nullable Restriction restriction;
  private @Nullable Preemption preemption;
  private boolean summing;

  Examiner(
      Pod pod,
      Shape shape,
      Profile profile,
      ClusterModel cluster,
      TieBreak tieBreak,
      Extension extension) {
    this.pod = pod;
    this.shape = shape;
    this.profile = profile;
    this.cluster = cluster;
    this.nodes = cluster.nodes();
    this.tieBreak = tieBreak;
    this.extension = extension;
  }

  /// Wants to see what raw scores consist of.
  Examiner withSummands() {
    summing = true;
    return this;
  }

  Examination examine() {
    try {
      return examined();
    } catch (CycleException e) {
      // No node was passed or refused for good: the cycle ended before.
      infeasible.clear();
      restriction = null;
      feasible = new int[0];
      return failed(e);
    }
  }

  private Examination examined() {
    if (nodes.count() == 0) {
      var decision = new Decision.Unschedulable(Message.NO_NODES, Set.of(), null);
      return examination(decision, null, false, null, null, Message.NO_NODES);
    }
    var cycle = new Cycle(pod, shape, profile, cluster);
    var veto = cycle.veto();
    if (veto != null) {
      return vetoed(cycle, veto);
    }
    int nominated = nodes.find(pod.status().nominatedNodeName());
    if (nominated >= 0 && cycle.objectionOnTrial(nominated) == null) {
      feasible = new int[] {nominated};
      askExtension();
      if (feasible.length == 1) {
        return examination(placed(nominated), null, true, null, null, null);
      }
      infeasible.clear();
    }
    filter(cycle, nominated);
    askExtension();
    if (feasible.length == 0) {
      return unschedulable(cycle);
    }
    if (feasible.length > 1) {
      try {
        score();
      } catch (CycleException e) {
        return failed(e);
      }
    }
    return examination(placed(best()), null, false, null, null, null);
  }

  private Examination failed(CycleException e) {
    scores.clear();
    var failed = new Decision.Failed(e.getMessage());
    return examination(failed, null, false, failed.error(), null, null);
  }

  private Decision placed(int node) {
    return new Decision.Placed(nodes.name(node), feasible.length);
  }

  private Examination vetoed(Cycle cycle, Rejection veto) {
    var filterMessage = Message.ofVeto(nodes.count(), veto);
    var preemption = postFilter(cycle, veto);
    return unschedulable(Set.of(veto.plugin()), filterMessage, veto, preemption);
  }

  /// Filters the nodes to be looked at, by name.
  private void filter(Cycle cycle, int nominated) {
    var only = cycle.only();
    var looked = new TreeMap<String, Integer>();
    for (int node = 0; node < nodes.limit(); node++) {
      if (nodes.isPresent(node) && (only == null || only.contains(nodes.name(node)))) {
        looked.put(nodes.name(node), node);
      }
    }
    if (only != null) {
      restriction = new Restriction(List.copyOf(looked.keySet()), cycle.restriction(null));
      if (nominated >= 0) {
        // It was tried first, so its own objection is told.
        looked.put(nodes.name(nominated), nominated);
      }
    }
    var found = new int[looked.size()];
    int count = 0;
    for (var entry : looked.entrySet()) {
      var objection = cycle.objection(entry.getValue());
      if (objection == null) {
        found[count++] = entry.getValue();
      } else {
        infeasible.put(
            entry.getKey(), new NodeRejection(objection, cycle.objections(entry.getValue())));
      }
    }
    feasible = Arrays.copyOf(found, count);
  }

  private void askExtension() {
    if (feasible.length == 0) {
      return;
    }
    var objections = extension.filter(names(feasible));
    var left = new int[feasible.length];
    int count = 0;
    for (int node : feasible) {
      var objection = objections.get(nodes.name(node));
      if (objection == null) {
        left[count++] = node;
      } else {
        infeasible.put(nodes.name(node), new NodeRejection(objection, List.of(objection)));
      }
    }
    feasible = Arrays.copyOf(left, count);
  }

  private List<String> names(int[] of) {
    var names = new ArrayList<String>(of.length);
    for (int node : of) {
      names.add(nodes.name(node));
    }
    return names;
  }

  private Examination unschedulable(Cycle cycle) {
    var message = new Message(nodes.count());
    var rejectors = new TreeSet<String>();
    for (var rejection : infeasible.values()) {
      message.add(rejection.first(), 1);
      rejectors.add(rejection.first().plugin());
    }
    if (restriction != null) {
      var nominated = infeasible.get(pod.status().nominatedNodeName());
      var reason = cycle.restriction(nominated == null ? null : nominated.first());
      boolean leftOut = restriction.nodes().size() < nodes.count();
      restriction = leftOut ? new Restriction(restriction.nodes(), reason) : restriction;
      message.add(reason, nodes.count() - infeasible.size());
      rejectors.addAll(cycle.restricting());
    }
    return unschedulable(rejectors, message.toString(), null, postFilter(cycle, null));
  }

  private Examination unschedulable(
      Set<String> rejectors,
      String filterMessage,
      @Nullable Rejection veto,
      @Nullable Preemption preemption) {
    var message = Message.with(filterMessage, preemption == null ? "" : preemption.message());
    this.preemption = preemption;
    var essence = preemption == null ? null : preemption.essence();
    var decision = new Decision.Unschedulable(message, rejectors, essence);
    return examination(decision, veto, false, null, filterMessage, message);
  }

  private @Nullable Preemption postFilter(Cycle cycle, @Nullable Rejection veto) {
    if (veto != null && profile.isPreemptionCutOff(veto.plugin())) {
      return stateMissing();
    }
    if (!profile.preempts()) {
      return null;
    }
    var candidates = new ArrayList<Integer>();
    infeasible.forEach((name, rejection) -> {
      if (Cycle.mayHelp(rejection.first())) {
        candidates.add(nodes.find(name));
      }
    });
    var nominated = infeasible.get(pod.status().nominatedNodeName());
    return new Preemptor(pod, cycle, cluster, extension)
        .preempt(
            candidates.stream().mapToInt(node -> node).toArray(),
            nominated == null ? null : nominated.first());
  }

  /// As in Kubernetes 1.37: when another plugin rejects the pod first, a PostFilter that comes
  /// before preemption misses its own state, and preemption never runs.
  static Preemption stateMissing() {
    return new Preemption(Outcome.ERROR, "not found", Map.of(), List.of(), Map.of(), null, true);
  }

  private void score() {
    total = new long[feasible.length];
    profile.preScores().forEach(rule -> rule.scoreFor(shape, cluster).begin(feasible));
    var running = new LinkedHashMap<ScoreRule, NodeScore>();
    var weights = new HashMap<ScoreRule, Long>();
    for (var weighted : profile.scores()) {
      var score = weighted.rule().scoreFor(shape, cluster);
      if (!score.equals(NodeScore.SKIP) && score.begin(feasible)) {
        running.put(weighted.rule(), score);
        weights.put(weighted.rule(), weighted.weight());
      }
    }
    running.forEach((rule, score) ->
        scores.put(rule.name(), column(rule, score, weights.getOrDefault(rule, 1L))));
    var added = extension.score(names(feasible));
    for (int i = 0; i < total.length; i++) {
      total[i] += added.getOrDefault(nodes.name(feasible[i]), 0L);
    }
  }

  private ScoreColumn column(ScoreRule rule, NodeScore score, long weight) {
    var raw = new long[feasible.length];
    for (int i = 0; i < raw.length; i++) {
      raw[i] = score.raw(feasible[i]);
    }
    var norm = raw.clone();
    score.normalize(norm, feasible);
    for (int i = 0; i < norm.length; i++) {
      total[i] += norm[i] * weight;
    }
    return new ScoreColumn(weight, raw, norm, summing ? summands(rule, raw) : List.of());
  }

  private List<List<Summand>> summands(ScoreRule rule, long[] raw) {
    var summands = rule.summandsFor(shape, cluster, feasible);
    var all = new ArrayList<List<Summand>>();
    for (int i = 0; i < raw.length; i++) {
      var parts = new ArrayList<>(summands.of(feasible[i]));
      long rest = raw[i];
      for (var part : parts) {
        rest -= part.value();
      }
      // A rule from outside may tell of a part only.
      if (rest != 0 || parts.isEmpty()) {
        parts.add(new Summand(parts.isEmpty() ? "score" : "the rest", rest));
      }
      all.add(parts);
    }
    return all;
  }

  private int best() {
    int best = 0;
    for (int i = 1; i < total.length; i++) {
      boolean better =
          total[i] > total[best]
              || (total[i] == total[best]
                  && tieBreak.key(feasible[i]) < tieBreak.key(feasible[best]));
      best = better ? i : best;
    }
    return feasible[best];
  }

  private Examination examination(
      Decision decision,
      @Nullable Rejection veto,
      boolean nominatedUsed,
      @Nullable String error,
      @Nullable String filterMessage,
      @Nullable String message) {
    var best = new ArrayList<String>();
    long top = Arrays.stream(total).max().orElse(0);
    for (int i = 0; i < feasible.length; i++) {
      if (error == null && (total.length == 0 || total[i] == top)) {
        best.add(nodes.name(feasible[i]));
      }
    }
    return new Examination(
        decision,
        veto,
        restriction,
        nominatedUsed,
        infeasible,
        names(feasible),
        scores,
        error == null ? total : new long[0],
        best,
        error,
        filterMessage,
        preemption,
        message);
  }
}
