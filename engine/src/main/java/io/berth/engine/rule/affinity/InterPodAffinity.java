package io.berth.engine.rule.affinity;

import io.berth.api.PluginArgs;
import io.berth.api.PodAffinityTerm;
import io.berth.api.PodSpec;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.OwnedTerm;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.Labels;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Normalize;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
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

  private final PluginArgs.InterPodAffinity args;

  public InterPodAffinity(PluginArgs.InterPodAffinity args) {
    this.args = args;
  }

  @Override
  public String name() {
    return "InterPodAffinity";
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
    return preferences.isSkipped() ? NodeScore.SKIP : new AffinityScore(preferences);
  }

  /// As in Kubernetes, ignoring others' preferences means ignoring them for pods without their own.
  public boolean isSkipped(Shape shape) {
    return args.ignorePreferredTermsOfExistingPods()
        && shape.spec().podAffinity().preferred().isEmpty()
        && shape.spec().podAntiAffinity().preferred().isEmpty();
  }

  public AffinityPreferences preferences(Shape shape, ClusterModel cluster) {
    return new AffinityPreferences(shape, cluster, args.hardPodAffinityWeight());
  }

  private record AffinityScore(AffinityPreferences preferences) implements NodeScore {

    @Override
    public long raw(int node) {
      return preferences.raw(node);
    }

    @Override
    public void normalize(long[] scores, int[] feasible) {
      long min = Long.MAX_VALUE;
      long max = Long.MIN_VALUE;
      for (long score : scores) {
        min = Math.min(min, score);
        max = Math.max(max, score);
      }
      for (int i = 0; i < scores.length; i++) {
        scores[i] = normalized(scores[i], min, max);
      }
    }
  }

  /// The lowest becomes 0 and the highest 100; when all are equal they are 0.
  public static long normalized(long raw, long min, long max) {
    return max == min
        ? 0
        : (long) (Normalize.MAX_SCORE * ((double) (raw - min) / (double) (max - min)));
  }

  /// Whether a required anti-affinity term of a running pod is meant by `kind`.
  static boolean forbids(OwnedTerm term) {
    return term.kind() == OwnedTerm.Kind.REQUIRED_ANTI_AFFINITY;
  }
}
