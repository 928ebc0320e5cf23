package io.berth.engine.rule.affinity;

import io.berth.api.Pod;
import io.berth.api.PodAffinityTerm;
import io.berth.api.PodSpec;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.FilterForm;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.Labels;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Normalization;
import io.berth.engine.rule.ScoreForm;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Summands;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps pods near the pods they need and away from those they, or the pods already there, cannot
/// stand; prefers likewise.
public final class InterPodAffinity implements FilterRule, ScoreRule {

  public static final Verdict.Unfit AFFINITY =
      Verdict.unresolvable("node(s) didn't match pod affinity rules");
  public static final Verdict.Unfit ANTI_AFFINITY =
      Verdict.unschedulable("node(s) didn't match pod anti-affinity rules");
  public static final Verdict.Unfit EXISTING_ANTI_AFFINITY =
      Verdict.unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

  private final InterPodAffinityArgs args;

  public InterPodAffinity(InterPodAffinityArgs args) {
    this.args = args;
  }

  @Override
  public String name() {
    return "InterPodAffinity";
  }

  @Override
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    return new AffinityCauses(shape, cluster);
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(
        Kind.ASSIGNED_POD_ADD,
        Kind.ASSIGNED_POD_UPDATE_LABEL,
        Kind.ASSIGNED_POD_DELETE,
        Kind.TARGET_POD_UPDATE_LABEL,
        Kind.NAMESPACE_UPDATE,
        Kind.NODE_ADD,
        Kind.NODE_UPDATE_LABEL);
  }

  @Override
  public boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    return new AffinityHints(cluster.terms()).help(pod, event);
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.CLUSTER);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var problem = problemWith(shape.spec());
    if (problem != null) {
      return NodeTest.veto("parsing pod: " + problem);
    }
    var terms = AffinityTerms.required(shape, cluster);
    return terms.isSkipped() ? NodeTest.ALL : new AffinityTest(terms);
  }

  /// Why a selector of the pod's terms cannot be parsed, or `null`.
  public static @Nullable String problemWith(PodSpec spec) {
    if (spec.podAffinity().isEmpty() && spec.podAntiAffinity().isEmpty()) {
      return null;
    }
    for (var affinity : List.of(spec.podAffinity(), spec.podAntiAffinity())) {
      for (var term : affinity.required()) {
        if (problemWith(term) != null) {
          return problemWith(term);
        }
      }
      for (var preferred : affinity.preferred()) {
        if (problemWith(preferred.term()) != null) {
          return problemWith(preferred.term());
        }
      }
    }
    return null;
  }

  private static @Nullable String problemWith(PodAffinityTerm term) {
    var problem = Labels.problemWith(term.labelSelector());
    return problem != null ? problem : Labels.problemWith(term.namespaceSelector());
  }

  @Override
  public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
    if (isSkipped(shape)) {
      return NodeScore.SKIP;
    }
    var preferences = new AffinityPreferences(shape, cluster, args.hardPodAffinityWeight());
    return preferences.isSkipped()
        ? NodeScore.SKIP
        : NodeScore.normalised(preferences::raw, Normalization.BY_RANGE);
  }

  @Override
  public Summands summandsFor(Shape shape, ClusterModel cluster, int[] feasible) {
    return new AffinityPreferences(shape, cluster, args.hardPodAffinityWeight())::summands;
  }

  /// As in Kubernetes, ignoring others' preferences means ignoring them for pods without their own.
  private boolean isSkipped(Shape shape) {
    return args.ignorePreferredTermsOfExistingPods()
        && shape.spec().podAffinity().preferred().isEmpty()
        && shape.spec().podAntiAffinity().preferred().isEmpty();
  }

  @Override
  public FilterForm filterForm(Shape shape, ClusterModel cluster) {
    var premise = new AffinityPremise(shape, cluster, AffinityTerms::forbids);
    var terms = AffinityTerms.required(shape, cluster);
    if (problemWith(shape.spec()) != null
        || terms.affinity().length > AffinityGroupTest.MAX_AFFINITY_TERMS) {
      return FilterForm.LONG_WAY;
    }
    return terms.isEmpty()
        ? new FilterForm.Silent(premise)
        : new FilterForm.ByDomain(new AffinityGroupTest(terms), premise);
  }

  @Override
  public ScoreForm scoreForm(Shape shape, ClusterModel cluster) {
    if (isSkipped(shape)) {
      return ScoreForm.SILENT;
    }
    var premise = new AffinityPremise(shape, cluster, term -> !AffinityTerms.forbids(term));
    var preferences = new AffinityPreferences(shape, cluster, args.hardPodAffinityWeight());
    return preferences.isEmpty()
        ? new ScoreForm.Silent(premise)
        : new ScoreForm.ByDomain(new AffinityGroupScore(preferences), premise);
  }
}
