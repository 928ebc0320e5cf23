package io.berth.engine.rule.affinity;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.api.Node;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.Pod;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.Summand;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.Causes.Why;
import io.berth.engine.rule.CycleException;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeMatcher;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Normalization;
import io.berth.engine.rule.ScoreForm;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Summands;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps pods to the nodes their nodeSelector and node affinity ask for, and the profile's
/// `addedAffinity`; prefers those they prefer.
public final class NodeAffinity implements FilterRule, ScoreRule {

  static final Verdict UNMATCHED =
      Verdict.unresolvable("node(s) didn't match Pod's node affinity/selector");
  public static final Verdict.Unfit UNMATCHED_BY_PROFILE =
      Verdict.unresolvable("node(s) didn't match scheduler-enforced node affinity");
  private static final Verdict.Unfit CONFLICT = Verdict.unresolvable("pod affinity terms conflict");

  private final io.berth.api.NodeAffinity added;
  private final @Nullable NodeMatcher addedRequired;
  private final List<Preference> addedPreferred;

  public NodeAffinity(NodeAffinityArgs args) {
    this.added = args.addedAffinity();
    this.addedRequired = added.required() == null ? null : NodeMatcher.of(added.required());
    this.addedPreferred = preferences(added);
  }

  @Override
  public String name() {
    return "NodeAffinity";
  }

  @Override
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    var required = added.required() == null ? List.<NodeSelectorTerm>of() : added.required();
    return node ->
        new Why(LabelCauses.of(cluster.nodes().node(node), shape.spec(), required), null);
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(Kind.NODE_ADD, Kind.NODE_UPDATE_LABEL);
  }

  @Override
  public boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    var required = NodeMatcher.required(pod.spec());
    var before = event.oldNode();
    return allows(required, event.node()) && (before == null || !allows(required, before));
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.NODE);
  }

  private boolean allows(NodeMatcher required, Node node) {
    return (addedRequired == null || addedRequired.matches(node)) && required.matches(node);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var matcher = NodeMatcher.required(shape.spec());
    if (matcher.matchesAll() && addedRequired == null) {
      return NodeTest.ALL;
    }
    var nodes = cluster.nodes();
    var names = namedNodes(shape.spec().nodeAffinity().required());
    return new NodeTest() {
      @Override
      public Verdict verdict(int index) {
        var node = nodes.node(index);
        if (addedRequired != null && !addedRequired.matches(node)) {
          return UNMATCHED_BY_PROFILE;
        }
        return matcher.matches(node) ? FITS : UNMATCHED;
      }

      @Override
      public Verdict.@Nullable Unfit veto() {
        return names != null && names.isEmpty() ? CONFLICT : null;
      }

      @Override
      public @Nullable Set<String> onlyNodes() {
        return names;
      }
    };
  }

  /// The nodes named by terms that all name some, or `null`.
  private static @Nullable Set<String> namedNodes(@Nullable List<NodeSelectorTerm> terms) {
    if (terms == null || terms.isEmpty()) {
      return null;
    }
    var names = new HashSet<String>();
    for (var term : terms) {
      Set<String> named = null;
      for (var clause : term.matchFields()) {
        if (clause.key().equals("metadata.name") && clause.operator().equals("In")) {
          if (named == null) {
            named = new HashSet<>(clause.values());
          } else {
            named.retainAll(clause.values());
          }
        }
      }
      if (named == null) {
        return null;
      }
      names.addAll(named);
    }
    return names;
  }

  @Override
  public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
    var preferred = preferences(shape.spec().nodeAffinity());
    if (shape.spec().nodeAffinity().preferred().isEmpty() && added.preferred().isEmpty()) {
      return NodeScore.SKIP;
    }
    var problem = problemIn(preferred);
    preferred.addAll(addedPreferred);
    var nodes = cluster.nodes();
    return new NodeScore() {
      @Override
      public boolean begin(int[] feasible) {
        if (problem != null) {
          throw CycleException.preScore(name(), problem);
        }
        return true;
      }

      @Override
      public long raw(int index) {
        var node = nodes.node(index);
        long sum = 0;
        for (var preference : preferred) {
          if (preference.term().matches(node)) {
            sum += preference.weight();
          }
        }
        return sum;
      }

      @Override
      public Normalization normalization() {
        return Normalization.BY_MAX;
      }
    };
  }

  @Override
  public Summands summandsFor(Shape shape, ClusterModel cluster, int[] feasible) {
    var own = shape.spec().nodeAffinity().preferred();
    return node -> {
      var parts = new ArrayList<Summand>();
      preferred("preferred term ", own, cluster.nodes().node(node), parts);
      preferred(
          "preferred term of the profile ", added.preferred(), cluster.nodes().node(node), parts);
      return parts;
    };
  }

  private static void preferred(
      String what,
      List<io.berth.api.NodeAffinity.Preferred> preferred,
      Node node,
      List<Summand> parts) {
    for (int i = 0; i < preferred.size(); i++) {
      var each = preferred.get(i);
      if (each.weight() != 0
          && !each.preference().isEmpty()
          && new NodeMatcher.Term(each.preference()).matches(node)) {
        parts.add(new Summand(what + i, each.weight()));
      }
    }
  }

  @Override
  public ScoreForm scoreForm(Shape shape, ClusterModel cluster) {
    // The cycle then ends with an error, if there is anything to score.
    return problemIn(preferences(shape.spec().nodeAffinity())) == null
        ? ScoreForm.of(this, shape, cluster)
        : ScoreForm.LONG_WAY;
  }

  private record Preference(int weight, NodeMatcher.Term term) {}

  private static List<Preference> preferences(io.berth.api.NodeAffinity affinity) {
    var preferences = new ArrayList<Preference>();
    for (var preferred : affinity.preferred()) {
      if (preferred.weight() != 0 && !preferred.preference().isEmpty()) {
        preferences.add(
            new Preference(preferred.weight(), new NodeMatcher.Term(preferred.preference())));
      }
    }
    return preferences;
  }

  private static @Nullable String problemIn(List<Preference> preferences) {
    for (var preference : preferences) {
      if (preference.term().problem() != null) {
        return preference.term().problem();
      }
    }
    return null;
  }
}
