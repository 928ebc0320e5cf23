package io.berth.api;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The arguments of all plugins of one profile, with their defaults filled in.
public record PluginArgs(
    DefaultPreemption defaultPreemption,
    InterPodAffinity interPodAffinity,
    NodeAffinity addedAffinity,
    NodeResourcesFit nodeResourcesFit,
    List<ResourceWeight> balancedResources,
    PodTopologySpread podTopologySpread,
    VolumeBinding volumeBinding) {

  private static final List<ResourceWeight> CPU_AND_MEMORY =
      List.of(new ResourceWeight("cpu", 1), new ResourceWeight("memory", 1));

  public static final PluginArgs DEFAULT =
      new PluginArgs(
          new DefaultPreemption(10, 100),
          new InterPodAffinity(1, false),
          NodeAffinity.NONE,
          new NodeResourcesFit(
              Set.of(), Set.of(), Strategy.LEAST_ALLOCATED, CPU_AND_MEMORY, List.of()),
          CPU_AND_MEMORY,
          new PodTopologySpread(List.of(), true),
          new VolumeBinding(600, List.of(new ShapePoint(0, 10), new ShapePoint(100, 0))));

  public PluginArgs {
    balancedResources = List.copyOf(balancedResources);
  }

  /// The same with more resources that NodeResourcesFit leaves out.
  public PluginArgs ignoring(Set<String> resources) {
    var ignored = new HashSet<>(nodeResourcesFit.ignoredResources());
    ignored.addAll(resources);
    var fit =
        new NodeResourcesFit(
            ignored,
            nodeResourcesFit.ignoredResourceGroups(),
            nodeResourcesFit.strategy(),
            nodeResourcesFit.resources(),
            nodeResourcesFit.shape());
    return new PluginArgs(
        defaultPreemption,
        interPodAffinity,
        addedAffinity,
        fit,
        balancedResources,
        podTopologySpread,
        volumeBinding);
  }

  public record DefaultPreemption(int minCandidateNodesPercentage, int minCandidateNodesAbsolute) {}

  public record InterPodAffinity(
      int hardPodAffinityWeight, boolean ignorePreferredTermsOfExistingPods) {}

  public record NodeResourcesFit(
      Set<String> ignoredResources,
      Set<String> ignoredResourceGroups,
      Strategy strategy,
      List<ResourceWeight> resources,
      List<ShapePoint> shape) {

    public NodeResourcesFit {
      ignoredResources = Set.copyOf(ignoredResources);
      ignoredResourceGroups = Set.copyOf(ignoredResourceGroups);
      resources = List.copyOf(resources);
      shape = List.copyOf(shape);
    }
  }

  public enum Strategy {
    LEAST_ALLOCATED,
    MOST_ALLOCATED,
    REQUESTED_TO_CAPACITY_RATIO
  }

  public record ResourceWeight(String name, long weight) {}

  /// A corner of a scoring function: `score` (0 to 10) at `utilization` percent.
  public record ShapePoint(int utilization, int score) {}

  /// `systemDefaults` stands for Kubernetes' built-in default constraints.
  public record PodTopologySpread(
      List<TopologySpreadConstraint> defaultConstraints, boolean systemDefaults) {

    public PodTopologySpread {
      defaultConstraints = List.copyOf(defaultConstraints);
    }
  }

  public record VolumeBinding(long bindTimeoutSeconds, List<ShapePoint> shape) {

    public VolumeBinding {
      shape = List.copyOf(shape);
    }
  }
}
