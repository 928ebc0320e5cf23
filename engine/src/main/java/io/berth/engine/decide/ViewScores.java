package io.berth.engine.decide;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.Profile;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.affinity.AffinityPreferences;
import io.berth.engine.rule.affinity.InterPodAffinity;
import io.berth.engine.rule.affinity.NodeAffinity;
import io.berth.engine.rule.image.ImageLocality;
import io.berth.engine.rule.resources.NodeResourcesBalancedAllocation;
import io.berth.engine.rule.resources.NodeResourcesFit;
import io.berth.engine.rule.spread.PodTopologySpread;
import io.berth.engine.rule.spread.SpreadConstraint;
import io.berth.engine.rule.taint.TaintToleration;
import io.berth.engine.rule.volume.VolumeBinding;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The score rules of a view: scores that are a node's own business, and those that are normalised.
///
/// A weight is 0 where the rule has nothing to say.
final class ViewScores {

  private static final int MAX_SCORE = 100;

  private NodeScore[] local = {};
  private long[] localWeights = {};
  private @Nullable NodeScore taints;
  private long taintWeight;
  private @Nullable NodeScore nodeAffinity;
  private long nodeAffinityWeight;
  private SpreadConstraint[] soft = {};
  private boolean requiresAllKeys;
  private long spreadWeight;
  private @Nullable AffinityPreferences preferences;
  private long preferenceWeight;
  private List<String> images = List.of();
  private boolean viewable = true;

  ViewScores(Shape shape, Profile profile, ClusterModel cluster) {
    for (var weighted : profile.scores()) {
      read(weighted.rule(), weighted.weight(), shape, cluster);
    }
    boolean prepares = profile.preScores().stream().anyMatch(NodeAffinity.class::isInstance);
    viewable &= !prepares || NodeAffinity.problemWith(shape.spec()) == null;
    // The sum of what nodes have by themselves is kept as an int.
    viewable &= Arrays.stream(localWeights).sum() <= Integer.MAX_VALUE / MAX_SCORE;
  }

  private void read(ScoreRule of, long weight, Shape shape, ClusterModel cluster) {
    switch (of) {
      case PodTopologySpread rule -> {
        soft = rule.soft(shape, cluster);
        requiresAllKeys = rule.requiresAllKeys(shape);
        spreadWeight = soft.length > 0 ? weight : 0;
      }
      case InterPodAffinity rule -> {
        preferences = rule.isSkipped(shape) ? null : rule.preferences(shape, cluster);
        preferenceWeight = preferences == null || preferences.size() == 0 ? 0 : weight;
      }
      case TaintToleration rule -> {
        taints = rule.scoreFor(shape, cluster);
        taintWeight = weight;
      }
      case NodeAffinity rule -> {
        var score = rule.scoreFor(shape, cluster);
        nodeAffinity = score.equals(NodeScore.SKIP) ? null : score;
        nodeAffinityWeight = nodeAffinity == null ? 0 : weight;
      }
      case NodeResourcesFit rule -> addLocal(rule.scoreFor(shape, cluster), weight);
      case NodeResourcesBalancedAllocation rule -> addLocal(rule.scoreFor(shape, cluster), weight);
      case ImageLocality rule -> {
        images = ImageLocality.imageNames(shape);
        if (ImageLocality.fingerprint(images, cluster) != 0) {
          addLocal(rule.scoreFor(shape, cluster), weight);
        }
      }
      case VolumeBinding rule -> viewable &= rule.scoreFor(shape, cluster).equals(NodeScore.SKIP);
      default -> viewable = false;
    }
  }

  private void addLocal(NodeScore score, long weight) {
    if (!score.equals(NodeScore.SKIP)) {
      local = Arrays.copyOf(local, local.length + 1);
      localWeights = Arrays.copyOf(localWeights, local.length);
      local[local.length - 1] = score;
      localWeights[local.length - 1] = weight;
    }
  }

  boolean isViewable() {
    return viewable;
  }

  /// The weighted scores that are the node's own business.
  int local(int node) {
    long sum = 0;
    for (int i = 0; i < local.length; i++) {
      sum += local[i].raw(node) * localWeights[i];
    }
    return (int) sum;
  }

  @Nullable NodeScore taints() {
    return taints;
  }

  long taintWeight() {
    return taintWeight;
  }

  @Nullable NodeScore nodeAffinity() {
    return nodeAffinity;
  }

  long nodeAffinityWeight() {
    return nodeAffinityWeight;
  }

  /// The constraints that PodTopologySpread would rather not violate.
  SpreadConstraint[] soft() {
    return soft;
  }

  boolean requiresAllKeys() {
    return requiresAllKeys;
  }

  long spreadWeight() {
    return spreadWeight;
  }

  @Nullable AffinityPreferences preferences() {
    return preferences;
  }

  long preferenceWeight() {
    return preferenceWeight;
  }

  /// The images whose places ImageLocality knows.
  List<String> images() {
    return images;
  }
}
