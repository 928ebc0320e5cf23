package io.berth.engine.decide;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Profile;
import io.berth.engine.rule.Watch;
import io.berth.engine.rule.affinity.AffinityTerms;
import io.berth.engine.rule.affinity.InterPodAffinity;
import io.berth.engine.rule.spread.PodTopologySpread;
import io.berth.engine.rule.spread.SpreadConstraint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The filter rules of a view: those asked about nodes, and the two that are asked about groups.
///
/// A rank is a rule's place in the order in which filters run.
final class ViewFilters {

  private final Profile profile;
  private final List<Integer> ofNode = new ArrayList<>();
  private final List<Integer> ofPods = new ArrayList<>();
  private final NodeTest[] nodeTests;
  private final NodeTest[] podTests;
  private final int[] nodeRanks;
  private final int[] podRanks;
  private int spreadRank = Integer.MAX_VALUE;
  private int affinityRank = Integer.MAX_VALUE;
  private SpreadConstraint[] hard = {};
  private @Nullable AffinityTerms required;
  private boolean viewable = true;

  ViewFilters(Shape shape, Profile profile, ClusterModel cluster) {
    this.profile = profile;
    var tests = new ArrayList<NodeTest>();
    for (int rank = 0; rank < profile.filters().size(); rank++) {
      tests.add(read(profile.filters().get(rank), rank, shape, cluster));
    }
    for (var rule : profile.preFilters()) {
      if (!profile.filters().contains(rule)) {
        viewable &= isSilent(rule, shape, cluster);
      }
    }
    this.nodeRanks = ofNode.stream().mapToInt(rank -> rank).toArray();
    this.podRanks = ofPods.stream().mapToInt(rank -> rank).toArray();
    this.nodeTests = ofNode.stream().map(tests::get).toArray(NodeTest[]::new);
    this.podTests = ofPods.stream().map(tests::get).toArray(NodeTest[]::new);
  }

  private NodeTest read(FilterRule rule, int rank, Shape shape, ClusterModel cluster) {
    return switch (rule) {
      case PodTopologySpread spread -> {
        spreadRank = rank;
        hard = spread.hard(shape, cluster);
        yield NodeTest.ALL;
      }
      case InterPodAffinity _ -> {
        affinityRank = rank;
        viewable &= InterPodAffinity.problemWith(shape.spec()) == null;
        required = AffinityTerms.required(shape, cluster);
        yield NodeTest.ALL;
      }
      default -> {
        var test = rule.testFor(shape, cluster);
        if (!test.equals(NodeTest.ALL)) {
          sort(rule, test, rank);
        }
        yield test;
      }
    };
  }

  /// Whether a rule that is asked before nodes are looked at, and not about these, says nothing.
  private static boolean isSilent(FilterRule rule, Shape shape, ClusterModel cluster) {
    return switch (rule) {
      case PodTopologySpread _ -> true;
      case InterPodAffinity _ -> InterPodAffinity.problemWith(shape.spec()) == null;
      default -> {
        var test = rule.testFor(shape, cluster);
        boolean maySay = rule.watches().contains(Watch.CLUSTER) && !test.equals(NodeTest.ALL);
        yield !maySay && test.veto() == null && test.onlyNodes() == null;
      }
    };
  }

  private void sort(FilterRule rule, NodeTest test, int rank) {
    if (rule.watches().contains(Watch.CLUSTER) || test.veto() != null || test.onlyNodes() != null) {
      viewable = false;
    } else if (rule.watches().contains(Watch.PODS_ON_NODE)) {
      ofPods.add(rank);
    } else {
      ofNode.add(rank);
    }
  }

  boolean isViewable() {
    return viewable;
  }

  /// Tests of the node object alone, and their ranks.
  NodeTest[] nodeTests() {
    return nodeTests;
  }

  int[] nodeRanks() {
    return nodeRanks;
  }

  /// Tests that also look at the pods on the node, and their ranks.
  NodeTest[] podTests() {
    return podTests;
  }

  int[] podRanks() {
    return podRanks;
  }

  String ruleName(int rank) {
    return profile.filters().get(rank).name();
  }

  int spreadRank() {
    return spreadRank;
  }

  int affinityRank() {
    return affinityRank;
  }

  /// The constraints that PodTopologySpread must not violate.
  SpreadConstraint[] hard() {
    return hard;
  }

  /// The terms that InterPodAffinity must not violate, or `null` if that rule does not run.
  @Nullable AffinityTerms required() {
    return required;
  }
}
