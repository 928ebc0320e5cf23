package io.berth.engine.decide;

import io.berth.api.Pod;
import io.berth.engine.Blame;
import io.berth.engine.Cause;
import io.berth.engine.Decision;
import io.berth.engine.Explanation;
import io.berth.engine.Explanation.Obstacle;
import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.Causes.Why;
import io.berth.engine.rule.CycleException;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.Profile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Puts together what stands in a pod's way: asks every rule about every node, and rules that
/// object what is behind it.
final class Explainer {

  private final Pod pod;
  private final Shape shape;
  private final Profile profile;
  private final ClusterModel cluster;
  private final NodeTable nodes;
  private final Map<String, Known> rules = new HashMap<>();
  private final Map<Entry, Found> found = new LinkedHashMap<>();

  /// A rule with its causes, and whom it blames on nodes that are alike.
  private record Known(FilterRule rule, Causes causes, @Nullable LocalBlame local) {}

  /// What nodes of one obstacle have in common; blame is compared by identity.
  private record Entry(int rank, Rejection rejection, List<Cause> causes, @Nullable Blame blame) {}

  private static final class Found {
    final List<String> nodes = new ArrayList<>();
    int firstOn;
  }

  Explainer(Pod pod, Shape shape, Profile profile, ClusterModel cluster) {
    this.pod = pod;
    this.shape = shape;
    this.profile = profile;
    this.cluster = cluster;
    this.nodes = cluster.nodes();
  }

  Explanation explain(Decision decision) {
    try {
      look(new Cycle(pod, shape, profile, cluster));
    } catch (CycleException _) {
      // The decision says so: the cycle ended before any node was passed or refused for good.
      found.clear();
    }
    var obstacles = new ArrayList<Map.Entry<Entry, Found>>(found.entrySet());
    obstacles.sort((a, b) -> Integer.compare(a.getKey().rank(), b.getKey().rank()));
    return new Explanation(
        decision,
        obstacles.stream().map(each -> obstacle(each.getKey(), each.getValue())).toList());
  }

  private static Obstacle obstacle(Entry entry, Found found) {
    found.nodes.sort(null);
    return new Obstacle(
        entry.rejection(), entry.causes(), entry.blame(), found.nodes, found.firstOn);
  }

  private void look(Cycle cycle) {
    var veto = cycle.veto();
    var only = cycle.only();
    // As in Kubernetes, the node that was promised to the pod is looked at in any case.
    int promised = nodes.find(pod.status().nominatedNodeName());
    var broken = promised < 0 || veto != null ? null : cycle.objectionOnTrial(promised);
    for (int node = 0; node < nodes.limit(); node++) {
      if (!nodes.isPresent(node)) {
        continue;
      }
      if (veto != null) {
        add(node, -1, veto, plain(veto), null, true);
      } else if (only != null && node != promised && !only.contains(nodes.name(node))) {
        var names = String.join(", ", cycle.restricting());
        var left = Rejection.unresolvable(names, cycle.restriction(broken));
        add(node, -1, left, plain(left), null, true);
      } else {
        look(cycle, node);
      }
    }
  }

  private void look(Cycle cycle, int node) {
    boolean first = true;
    for (var objection : cycle.objections(node)) {
      var known = rules.computeIfAbsent(objection.plugin(), name -> known(name, cycle));
      var why = cycle.isAwaited(node) ? Why.UNKNOWN : known.causes().of(node);
      if (why.causes().isEmpty()) {
        why = new Why(unknown(objection, cycle, node), why.blame());
      }
      var blame = known.local() == null ? why.blame() : known.local().on(node);
      int rank = profile.filters().indexOf(known.rule());
      add(node, rank, objection, why.causes(), cycle.isAwaited(node) ? null : blame, first);
      first = false;
    }
  }

  private Known known(String name, Cycle cycle) {
    var rule = profile.filter(name);
    if (rule == null) {
      throw new IllegalStateException("no filter is called " + name);
    }
    var causes = rule.causesFor(shape, cluster);
    var test = cycle.test(rule);
    var local = test != null && causes.areOnTheNode(rule) ? new LocalBlame(test, cluster) : null;
    return new Known(rule, causes, local);
  }

  private List<Cause> unknown(Rejection objection, Cycle cycle, int node) {
    var waiting = cycle.namesOfWaiting(node);
    return waiting.isEmpty()
        ? plain(objection)
        : List.of(
            Cause.ofOther(
                objection.plugin(),
                "status.nominatedNodeName",
                waiting.getFirst(),
                String.join(", ", objection.reasons()),
                "wait for the node: " + String.join(", ", waiting)));
  }

  private static List<Cause> plain(Rejection objection) {
    return List.of(Cause.ofPod(objection.plugin(), "", "", String.join(", ", objection.reasons())));
  }

  private void add(
      int node,
      int rank,
      Rejection rejection,
      List<Cause> causes,
      @Nullable Blame blame,
      boolean first) {
    var same = found.computeIfAbsent(new Entry(rank, rejection, causes, blame), _ -> new Found());
    same.nodes.add(nodes.name(node));
    same.firstOn += first ? 1 : 0;
  }
}
