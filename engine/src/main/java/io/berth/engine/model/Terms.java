package io.berth.engine.model;

import io.berth.api.Namespace;
import io.berth.engine.model.OwnedTerm.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Topologies, the terms that count pods, and the terms that running pods own.
///
/// Both kinds are indexed by a label pair their selector requires, so that a pod meets the few
/// terms that can concern it. Counting terms are made when a rule first asks and dropped all
/// together when there are more than [#MAX_TERMS]; [#generation()] then grows, and whoever
/// remembers terms or anything derived from namespaces must ask again.
public final class Terms {

  static final int MAX_TERMS = 65_536;

  private final NodeTable nodes;
  private final SelectedKeys selected;
  private final Map<String, Topology> topologies = new LinkedHashMap<>();
  private final Map<String, Namespace> namespaces;
  private final Map<TermKey, Term> counting = new LinkedHashMap<>();
  private final Set<Cohort> cohorts = new LinkedHashSet<>();
  private final PairIndex<Term> countingIndex = new PairIndex<>();
  private final PairIndex<Cohort> cohortIndex = new PairIndex<>();
  private final Map<OwnedTerm.Key, OwnedTerm> owned = new LinkedHashMap<>();
  private final PairIndex<OwnedTerm> ownedIndex = new PairIndex<>();
  private long generation;
  private long ownedChanges;

  private record TermKey(List<Scope> scopes, boolean livingOnly) {}

  Terms(NodeTable nodes, ObjectTable objects, SelectedKeys selected) {
    this.nodes = nodes;
    this.namespaces = objects.of(Namespace.KIND, Namespace.class);
    this.selected = selected;
  }

  public long generation() {
    return generation;
  }

  /// Grows whenever a term becomes owned or ceases to be.
  public long ownedChanges() {
    return ownedChanges;
  }

  public boolean hasOwned() {
    return !owned.isEmpty();
  }

  public Topology topology(String key) {
    var known = topologies.get(key);
    if (known != null) {
      return known;
    }
    var topology = new Topology(key, nodes.capacity());
    for (int node = 0; node < nodes.limit(); node++) {
      if (nodes.isPresent(node)) {
        topology.place(node, nodes.node(node).labels().get(key));
      }
    }
    topologies.put(key, topology);
    return topology;
  }

  void grow(int capacity) {
    for (var topology : topologies.values()) {
      topology.grow(capacity);
    }
  }

  void place(int node, Map<String, String> labels) {
    for (var topology : topologies.values()) {
      topology.place(node, labels.get(topology.key()));
    }
  }

  public @Nullable Map<String, String> namespaceLabels(String namespace) {
    var known = namespaces.get(namespace);
    return known == null ? null : known.labels();
  }

  /// The counter of pods that match all scopes, made when there is none yet.
  public Term counting(List<Scope> scopes, boolean livingOnly) {
    var key = new TermKey(List.copyOf(scopes), livingOnly);
    var known = counting.get(key);
    if (known != null) {
      return known;
    }
    if (counting.size() >= MAX_TERMS) {
      forgetCounting();
    }
    var term = new Term(key.scopes(), livingOnly);
    counting.put(key, term);
    var selector = key.scopes().get(0).selector();
    countingIndex.add(selector, term);
    for (var cohort : cohortIndex.candidates(selector, cohorts)) {
      if (counts(term, cohort)) {
        cohort.terms.add(term);
        cohort.perNode.forEach(term::add);
      }
    }
    return term;
  }

  private void forgetCounting() {
    counting.clear();
    countingIndex.clear();
    for (var cohort : cohorts) {
      cohort.terms.clear();
    }
    generation++;
  }

  private boolean counts(Term term, Cohort cohort) {
    return !(term.livingOnly && cohort.terminating)
        && matchesAll(term.scopes, cohort.namespace, cohort.labels);
  }

  /// Whether a pod matches all scopes, which belong to a pending pod.
  public boolean matchesAll(List<Scope> scopes, String namespace, Map<String, String> labels) {
    for (int i = 0; i < scopes.size(); i++) {
      var scope = scopes.get(i);
      if (!scope.selects(labels) || !scope.covers(namespace, namespaceLabels(namespace), true)) {
        return false;
      }
    }
    return true;
  }

  Cohort watch(Cohort cohort) {
    cohorts.add(cohort);
    cohortIndex.addPairs(cohort.labels, cohort);
    for (var term : countingIndex.meeting(cohort.labels)) {
      if (counts(term, cohort)) {
        cohort.terms.add(term);
      }
    }
    return cohort;
  }

  void unwatch(Cohort cohort) {
    cohorts.remove(cohort);
    cohortIndex.removePairs(cohort.labels, cohort);
  }

  OwnedTerm own(Kind kind, Scope scope, String topologyKey) {
    var key = new OwnedTerm.Key(kind, scope, topologyKey);
    var term = owned.get(key);
    if (term == null) {
      term = new OwnedTerm(key, topology(topologyKey));
      owned.put(key, term);
      ownedIndex.add(scope.selector(), term);
      selected.add(scope.selector());
      ownedChanges++;
    }
    term.shapes++;
    return term;
  }

  void disown(OwnedTerm term) {
    if (--term.shapes == 0) {
      owned.remove(term.key);
      ownedIndex.remove(term.key.scope().selector(), term);
      selected.remove(term.key.scope().selector());
      ownedChanges++;
    }
  }

  /// The terms of running pods that mean a newcomer of this shape.
  public List<OwnedTerm> meeting(Shape shape) {
    var met = new ArrayList<OwnedTerm>();
    var labels = namespaceLabels(shape.namespace());
    for (var term : ownedIndex.meeting(shape.labels())) {
      if (term.meets(shape.namespace(), labels, shape.labels())) {
        met.add(term);
      }
    }
    return met;
  }

  /// Whether a term of a running pod with this scope means a newcomer of the shape.
  public static boolean meets(Scope scope, Shape shape, Terms terms) {
    return scope.selects(shape.labels())
        && scope.covers(shape.namespace(), terms.namespaceLabels(shape.namespace()), false);
  }

  /// Whether a scope means pods of the namespace; one that is unknown is taken for one without
  /// labels.
  public boolean covers(Scope scope, String namespace) {
    return scope.covers(namespace, namespaceLabels(namespace), false);
  }

  /// The labels of a namespace are others, or it came or went.
  void relabelled(String namespace, Collection<Cohort> all) {
    generation++;
    for (var cohort : all) {
      if (cohort.namespace.equals(namespace)) {
        recount(cohort);
      }
    }
  }

  private void recount(Cohort cohort) {
    var before = new HashSet<>(cohort.terms);
    for (var term : countingIndex.meeting(cohort.labels)) {
      boolean counted = before.remove(term);
      if (counts(term, cohort)) {
        if (!counted) {
          cohort.terms.add(term);
          cohort.perNode.forEach(term::add);
        }
      } else if (counted) {
        cohort.terms.remove(term);
        cohort.perNode.forEach((node, pods) -> term.add(node, -pods));
      }
    }
  }
}
