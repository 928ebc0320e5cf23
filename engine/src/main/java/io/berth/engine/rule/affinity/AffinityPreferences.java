package io.berth.engine.rule.affinity;

import io.berth.api.PodAffinity;
import io.berth.engine.Summand;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.DomainCounts;
import io.berth.engine.model.OwnedTerm;
import io.berth.engine.model.Scope;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Labels;
import java.util.ArrayList;
import java.util.List;

/// What a newcomer prefers of the pods around it, and they of it: counters and their weights.
final class AffinityPreferences {

  private final List<DomainCounts> counts = new ArrayList<>();
  private final List<Integer> weights = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  AffinityPreferences(Shape shape, ClusterModel cluster, int hardWeight) {
    prefer(shape, cluster, shape.spec().podAffinity().preferred(), 1);
    prefer(shape, cluster, shape.spec().podAntiAffinity().preferred(), -1);
    for (var term : cluster.terms().meeting(shape)) {
      if (term.kind() == OwnedTerm.Kind.PREFERRED) {
        add(term.counts(), 1, "preferred by pods there, for " + shown(term));
      } else if (term.kind() == OwnedTerm.Kind.REQUIRED_AFFINITY && hardWeight > 0) {
        add(term.counts(), hardWeight, "required by pods there, for " + shown(term));
      }
    }
  }

  private void prefer(
      Shape shape, ClusterModel cluster, List<PodAffinity.Preferred> preferred, int sign) {
    int place = 0;
    for (var each : preferred) {
      var scope = List.of(Scope.of(each.term(), shape.namespace()));
      var topology = cluster.topology(each.term().topologyKey());
      var name = (sign > 0 ? "preferred affinity " : "preferred anti-affinity ") + place++;
      add(cluster.terms().counting(scope, false).by(topology), sign * each.weight(), name);
    }
  }

  private static String shown(OwnedTerm term) {
    return Labels.shown(term.scope().selector());
  }

  private void add(DomainCounts counter, int weight, String name) {
    names.add(name);
    counts.add(counter);
    weights.add(weight);
  }

  boolean isEmpty() {
    return counts.isEmpty();
  }

  /// Whether no pod anywhere has anything to do with these preferences.
  boolean isSkipped() {
    for (var counter : counts) {
      if (counter.carriers() > 0) {
        return false;
      }
    }
    return true;
  }

  DomainCounts[] counts() {
    return counts.toArray(DomainCounts[]::new);
  }

  int[] weights() {
    return weights.stream().mapToInt(weight -> weight).toArray();
  }

  long raw(int node) {
    long sum = 0;
    for (int i = 0; i < counts.size(); i++) {
      sum += (long) counts.get(i).at(node) * weights.get(i);
    }
    return sum;
  }

  /// What each of them adds to the score of the node.
  List<Summand> summands(int node) {
    var parts = new ArrayList<Summand>();
    for (int i = 0; i < counts.size(); i++) {
      int count = counts.get(i).at(node);
      if (count != 0) {
        parts.add(new Summand(names.get(i), (long) count * weights.get(i)));
      }
    }
    return parts;
  }
}
