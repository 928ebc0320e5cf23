package io.berth.engine.rule.resources;

import io.berth.api.PodResources;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.Normalization;
import io.berth.engine.rule.RunningSum;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Summands;
import io.berth.engine.rule.Watch;
import java.util.List;
import java.util.Set;

/// Prefers nodes whose resources the pod leaves, or makes, evenly used.
public final class NodeResourcesBalancedAllocation implements ScoreRule {

  private final List<ResourceWeight> resources;

  public NodeResourcesBalancedAllocation(BalancedAllocationArgs args) {
    this.resources = args.resources();
  }

  @Override
  public String name() {
    return "NodeResourcesBalancedAllocation";
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.NODE, Watch.PODS_ON_NODE);
  }

  @Override
  public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
    var requests = PodResources.requests(shape.spec());
    var scored = ScoredResource.of(resources, requests, true, cluster);
    for (var resource : scored) {
      if (resource.asked != 0) {
        return node -> score(balance(scored, node, true), balance(scored, node, false));
      }
    }
    return NodeScore.SKIP;
  }

  @Override
  public Summands summandsFor(Shape shape, ClusterModel cluster, int[] feasible) {
    var requests = PodResources.requests(shape.spec());
    var scored = ScoredResource.of(resources, requests, true, cluster);
    return node -> {
      long with = balance(scored, node, true);
      long without = balance(scored, node, false);
      var parts = new RunningSum();
      parts.reach("as even as before", score(0, 0));
      parts.reach("half of the balance with the pod", score(with, 0));
      parts.reach("less half of that without it", score(with, without));
      return parts.parts();
    };
  }

  private static long score(long balanceWith, long balanceWithout) {
    return 50 + (50 + balanceWith - balanceWithout) / 2;
  }

  /// 100 when all resources are used to the same fraction, less the more they differ.
  private static long balance(ScoredResource[] resources, int node, boolean withPod) {
    int count = 0;
    double total = 0;
    double first = 0;
    double second = 0;
    for (var resource : resources) {
      long allocatable = resource.allocatable(node);
      if (allocatable != 0) {
        double fraction = fraction(resource, allocatable, node, withPod);
        total += fraction;
        if (count == 0) {
          first = fraction;
        } else if (count == 1) {
          second = fraction;
        }
        count++;
      }
    }
    double deviation = 0;
    if (count == 2) {
      deviation = Math.abs((first - second) / 2);
    } else if (count > 2) {
      deviation = deviation(resources, node, withPod, total / count, count);
    }
    return (long) ((1 - deviation) * Normalization.MAX_SCORE);
  }

  private static double deviation(
      ScoredResource[] resources, int node, boolean withPod, double mean, int count) {
    double sum = 0;
    for (var resource : resources) {
      long allocatable = resource.allocatable(node);
      if (allocatable != 0) {
        double off = fraction(resource, allocatable, node, withPod) - mean;
        sum += off * off;
      }
    }
    return Math.sqrt(sum / count);
  }

  private static double fraction(
      ScoredResource resource, long allocatable, int node, boolean withPod) {
    long used = resource.taken(node) + (withPod ? resource.asked : 0);
    return Math.min(1, (double) used / (double) allocatable);
  }
}
