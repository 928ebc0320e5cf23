package io.berth.engine.rule.spread;

import io.berth.api.LabelSelector;
import io.berth.api.Requirement;
import io.berth.api.TopologySpreadConstraint;
import io.berth.engine.Cause;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.model.Scope;
import io.berth.engine.model.Shape;
import io.berth.engine.model.Term;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.NodeMatcher;
import io.berth.engine.rule.Normalization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A topology spread constraint of a shape, with its selector resolved and its counter at hand.
public final class SpreadConstraint {

  public static final String HOSTNAME = "kubernetes.io/hostname";
  private static final String ZONE = "topology.kubernetes.io/zone";

  /// The fewest pods become 100, as far as the most allow; when there are none at all, all do.
  static final Normalization FEWEST_FIRST =
      (raw, least, most) ->
          most == 0
              ? Normalization.MAX_SCORE
              : Normalization.MAX_SCORE * (most + least - raw) / most;

  private static final List<TopologySpreadConstraint> SYSTEM_DEFAULTS =
      List.of(soft(HOSTNAME, 3), soft(ZONE, 5));

  private final TopologySpreadConstraint constraint;
  private final String field;
  private final Cause.Source source;
  private final @Nullable LabelSelector selector;
  private final Topology topology;
  private final @Nullable Term term;
  private final boolean selfMatch;
  private final NodeMatcher affinity;
  private final Shape shape;
  private final NodeTable nodes;

  private SpreadConstraint(
      TopologySpreadConstraint constraint,
      String field,
      Cause.Source source,
      @Nullable LabelSelector selector,
      NodeMatcher affinity,
      Shape shape,
      ClusterModel cluster) {
    this.constraint = constraint;
    this.field = field;
    this.source = source;
    this.selector = selector;
    this.affinity = affinity;
    this.shape = shape;
    this.nodes = cluster.nodes();
    this.topology = cluster.topology(constraint.topologyKey());
    this.selfMatch = selector != null && selector.matches(shape.labels());
    // As in Kubernetes, a selector without clauses counts no pods, though it matches all.
    this.term =
        selector == null || selector.isEmpty()
            ? null
            : cluster
                .terms()
                .counting(List.of(new Scope(Set.of(shape.namespace()), null, selector)), true);
  }

  private static TopologySpreadConstraint soft(String key, int maxSkew) {
    return new TopologySpreadConstraint(
        maxSkew, key, TopologySpreadConstraint.SCHEDULE_ANYWAY, null, 1, true, false, List.of());
  }

  /// The pod's own constraints, or the profile's defaults when it has none, hard or soft ones.
  static SpreadConstraint[] of(
      Shape shape, PodTopologySpreadArgs args, boolean hard, ClusterModel cluster) {
    var own = shape.spec().topologySpreadConstraints();
    var affinity = NodeMatcher.required(shape.spec());
    var found = new ArrayList<SpreadConstraint>();
    for (int i = 0; i < own.size(); i++) {
      if (own.get(i).isHard() == hard) {
        var selector = merged(own.get(i), shape.labels());
        var field = "spec.topologySpreadConstraints[" + i + "]";
        found.add(
            new SpreadConstraint(
                own.get(i), field, Cause.Source.POD, selector, affinity, shape, cluster));
      }
    }
    if (own.isEmpty()) {
      var defaults = args.systemDefaults() ? SYSTEM_DEFAULTS : args.defaultConstraints();
      var selector = defaults.isEmpty() ? null : cluster.owners().selectorFor(shape);
      if (selector != null && !selector.isEmpty()) {
        var source = args.systemDefaults() ? Cause.Source.DEFAULT : Cause.Source.PROFILE;
        for (int i = 0; i < defaults.size(); i++) {
          if (defaults.get(i).isHard() == hard) {
            var field = "defaultConstraints[" + i + "]";
            found.add(
                new SpreadConstraint(
                    defaults.get(i), field, source, selector, affinity, shape, cluster));
          }
        }
      }
    }
    return found.toArray(SpreadConstraint[]::new);
  }

  private static @Nullable LabelSelector merged(
      TopologySpreadConstraint constraint, Map<String, String> labels) {
    var selector = constraint.labelSelector();
    if (selector == null || constraint.matchLabelKeys().isEmpty()) {
      return selector;
    }
    var clauses = new ArrayList<>(selector.matchExpressions());
    for (var key : constraint.matchLabelKeys()) {
      var value = labels.get(key);
      if (value != null) {
        var clause = new Requirement(key, "In", List.of(value));
        if (!clauses.contains(clause)) {
          clauses.add(clause);
        }
      }
    }
    return new LabelSelector(selector.matchLabels(), clauses);
  }

  /// The more domains there are, the more each pod in one of them counts.
  public static double weight(int domains) {
    return Logarithm.of(domains + 2);
  }

  /// What `count` pods in a node's domain add to its raw score.
  double score(long count, double weight) {
    return count * weight + (maxSkew() - 1);
  }

  /// Whether one more pod is too many where `here` are, and elsewhere no fewer than `fewest`.
  boolean isSkewed(int here, int fewest) {
    return here + selfMatch() - fewest > maxSkew();
  }

  /// By how many pods there are then too many.
  int excess(int here, int fewest) {
    // A maxSkew may be as large as a number can be.
    return (int) Math.max(Integer.MIN_VALUE, (long) here + selfMatch() - fewest - maxSkew());
  }

  public static boolean hasAllKeys(SpreadConstraint[] constraints, int node) {
    for (var constraint : constraints) {
      if (constraint.topology.domainOf(node) == Topology.NONE) {
        return false;
      }
    }
    return true;
  }

  /// Where the constraint is written, and whose it is.
  String field() {
    return field;
  }

  Cause.Source source() {
    return source;
  }

  public Topology topology() {
    return topology;
  }

  public boolean isByHostname() {
    return constraint.topologyKey().equals(HOSTNAME);
  }

  public int maxSkew() {
    return constraint.maxSkew();
  }

  public int minDomains() {
    return constraint.minDomains();
  }

  /// 1 if the pod counts itself.
  public int selfMatch() {
    return selfMatch ? 1 : 0;
  }

  /// How many pods on the node count.
  public int podsOn(int node) {
    return term == null ? 0 : term.onNode(node);
  }

  /// Whether the constraint's inclusion policies count the node at all.
  public boolean includes(int node) {
    if (constraint.honorNodeAffinity()
        && !affinity.matchesAll()
        && !affinity.matches(nodes.node(node))) {
      return false;
    }
    return !constraint.honorNodeTaints()
        || !shape.spec().isRepelledBy(nodes.taints(nodes.taintList(node)));
  }

  /// Whether a running pod counts, where its node does.
  public boolean counts(Shape pod) {
    return term != null && !pod.terminating() && countsInTrial(pod);
  }

  /// Whether a pod that comes or goes in a trial counts: unlike otherwise, dying ones do too.
  boolean countsInTrial(Shape pod) {
    return selector != null
        && pod.namespace().equals(shape.namespace())
        && selector.matches(pod.labels());
  }
}
