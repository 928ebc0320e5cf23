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
  private final List<OwnedTerm> owned = new ArrayList<>();
  private final int affinities;
  private final int own;

  AffinityPreferences(Shape shape, ClusterModel cluster, int hardWeight) {
    prefer(shape, cluster, shape.spec().podAffinity().preferred(), 1);
    this.affinities = counts.size();
    prefer(shape, cluster, shape.spec().podAntiAffinity().preferred(), -1);
    this.own = counts.size();
    for (var term : cluster.terms().meeting(shape)) {
      if (term.kind() == OwnedTerm.Kind.PREFERRED) {
        owned.add(term);
        add(term.counts(), 1);
      } else if (term.kind() == OwnedTerm.Kind.REQUIRED_AFFINITY && hardWeight > 0) {
        owned.add(term);
        add(term.counts(), hardWeight);
      }
    }
  }

  private void prefer(
      Shape shape, ClusterModel cluster, List<PodAffinity.Preferred> preferred, int sign) {
    for (var each : preferred) {
      var scope = List.of(Scope.of(each.term(), shape.namespace()));
      var topology = cluster.topology(each.term().topologyKey());
      add(cluster.terms().counting(scope, false).by(topology), sign * each.weight());
    }
  }

  private void add(DomainCounts counter, int weight) {
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
        parts.add(new Summand(name(i), (long) count * weights.get(i)));
      }
    }
    return parts;
  }

  private String name(int index) {
    if (index < own) {
      return index < affinities
          ? "preferred affinity " + index
          : "preferred anti-affinity " + (index - affinities);
    }
    var term = owned.get(index - own);
    var selector = term.scope().selector();
    var wish = term.kind() == OwnedTerm.Kind.PREFERRED ? "preferred" : "required";
    return "%s by pods there, for %s"
        .formatted(wish, selector == null ? "nothing" : Labels.shown(selector));
  }
}
