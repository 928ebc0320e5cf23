package io.berth.engine.rule.affinity;

import io.berth.api.PodAffinityTerm;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.DomainCounts;
import io.berth.engine.model.OwnedTerm;
import io.berth.engine.model.Scope;
import io.berth.engine.model.Shape;
import io.berth.engine.model.Terms;
import io.berth.engine.model.Topology;
import java.util.ArrayList;
import java.util.List;

/// What a newcomer requires of the pods around it, and what they require of it, with counters.
///
/// `affinity` counts pods that match all required affinity terms at once, by the topology of each
/// term; `antiAffinity` counts pods that match one term each; `existing` are the anti-affinity
/// terms of running pods that mean the newcomer.
public final class AffinityTerms {

  private final Shape shape;
  private final ClusterModel cluster;
  private final List<Scope> affinityScopes;
  private final DomainCounts[] affinity;
  private final List<List<Scope>> antiScopes;
  private final DomainCounts[] antiAffinity;
  private final OwnedTerm[] existing;
  private final boolean matchesItself;

  private AffinityTerms(Shape shape, ClusterModel cluster) {
    this.shape = shape;
    this.cluster = cluster;
    var terms = cluster.terms();
    var wanted = shape.spec().podAffinity().required();
    this.affinityScopes = scopes(wanted);
    this.affinity = new DomainCounts[wanted.size()];
    for (int i = 0; i < affinity.length; i++) {
      affinity[i] =
          terms.counting(affinityScopes, false).by(cluster.topology(wanted.get(i).topologyKey()));
    }
    var unwanted = shape.spec().podAntiAffinity().required();
    this.antiScopes = new ArrayList<>();
    this.antiAffinity = new DomainCounts[unwanted.size()];
    for (int i = 0; i < antiAffinity.length; i++) {
      var scope = List.of(Scope.of(unwanted.get(i), shape.namespace()));
      antiScopes.add(scope);
      antiAffinity[i] =
          terms.counting(scope, false).by(cluster.topology(unwanted.get(i).topologyKey()));
    }
    this.existing =
        terms.meeting(shape).stream().filter(AffinityTerms::forbids).toArray(OwnedTerm[]::new);
    this.matchesItself =
        affinity.length > 0 && terms.matchesAll(affinityScopes, shape.namespace(), shape.labels());
  }

  public static AffinityTerms required(Shape shape, ClusterModel cluster) {
    return new AffinityTerms(shape, cluster);
  }

  private List<Scope> scopes(List<PodAffinityTerm> terms) {
    var scopes = new ArrayList<Scope>();
    for (var term : terms) {
      scopes.add(Scope.of(term, shape.namespace()));
    }
    return scopes;
  }

  /// Whether a term of a running pod keeps others away.
  static boolean forbids(OwnedTerm term) {
    return term.kind() == OwnedTerm.Kind.REQUIRED_ANTI_AFFINITY;
  }

  /// Whether there is no term to test, whatever the counts are.
  boolean isEmpty() {
    return affinity.length == 0 && antiAffinity.length == 0 && existing.length == 0;
  }

  /// Whether there is nothing to test: no required terms, and nobody who minds the newcomer.
  public boolean isSkipped() {
    if (affinity.length > 0 || antiAffinity.length > 0) {
      return false;
    }
    for (var term : existing) {
      if (term.counts().carriers() > 0) {
        return false;
      }
    }
    return true;
  }

  public DomainCounts[] affinity() {
    return affinity;
  }

  public DomainCounts[] antiAffinity() {
    return antiAffinity;
  }

  public OwnedTerm[] existing() {
    return existing;
  }

  /// Whether the newcomer satisfies its own affinity, so that it may be the first of its kind.
  public boolean matchesItself() {
    return matchesItself;
  }

  /// Whether a pod matches all required affinity terms of the newcomer.
  boolean wants(Shape pod) {
    return affinity.length > 0
        && cluster.terms().matchesAll(affinityScopes, pod.namespace(), pod.labels());
  }

  /// Whether a pod matches the newcomer's i-th required anti-affinity term.
  boolean avoids(int i, Shape pod) {
    return cluster.terms().matchesAll(antiScopes.get(i), pod.namespace(), pod.labels());
  }

  /// The topologies within which a pod's required anti-affinity keeps the newcomer away.
  List<Topology> shunnedBy(Shape pod) {
    var topologies = new ArrayList<Topology>();
    for (var term : pod.spec().podAntiAffinity().required()) {
      if (Terms.meets(Scope.of(term, pod.namespace()), shape, cluster.terms())) {
        topologies.add(cluster.topology(term.topologyKey()));
      }
    }
    return topologies;
  }
}
