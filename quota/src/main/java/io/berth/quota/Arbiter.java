package io.berth.quota;

import io.berth.api.PluginArgs;
import io.berth.api.PluginArgs.PodTopologySpread;
import io.berth.api.PluginArgs.ResourceWeight;
import io.berth.api.PluginArgs.Strategy;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.SchedulerProfile;
import io.berth.api.SchedulerProfile.Plugin;
import io.berth.api.SchedulerProfile.PluginSet;
import io.berth.engine.Engine;
import io.berth.quota.decide.Pass;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Decides which gangs start now, which make room for them, and why the others wait.
///
/// The engine must have been made with [#CONFIGURATION], and is told of nodes and pods by its
/// owner: it must know all pods that hold a node. A pass leaves it as it was. One thread owns both.
public final class Arbiter {

  private static final List<ResourceWeight> GPUS_FIRST =
      List.of(
          new ResourceWeight("nvidia.com/gpu", 5),
          new ResourceWeight("cpu", 1),
          new ResourceWeight("memory", 1));

  /// One profile for each [NodePool.Strategy]. Nobody is preempted by the engine itself: that is
  /// what quotas are for.
  public static final SchedulerConfiguration CONFIGURATION =
      new SchedulerConfiguration(
          1,
          0,
          1,
          10,
          List.of(
              profile(NodePool.Strategy.BINPACK, Strategy.MOST_ALLOCATED),
              profile(NodePool.Strategy.SPREAD, Strategy.LEAST_ALLOCATED)),
          SchedulerConfiguration.LeaderElection.DEFAULT,
          List.of());

  private final Engine engine;

  public Arbiter(Engine engine) {
    this.engine = engine;
  }

  public Outcome decide(Situation situation) {
    try (var plan = engine.plan()) {
      return new Pass(engine, plan, situation).run();
    }
  }

  private static SchedulerProfile profile(NodePool.Strategy name, Strategy strategy) {
    var defaults = PluginArgs.DEFAULT;
    var args =
        new PluginArgs(
            defaults.defaultPreemption(),
            defaults.interPodAffinity(),
            defaults.addedAffinity(),
            new PluginArgs.NodeResourcesFit(Set.of(), Set.of(), strategy, GPUS_FIRST, List.of()),
            defaults.balancedResources(),
            new PodTopologySpread(List.of(), false),
            defaults.volumeBinding());
    return new SchedulerProfile(
        name.name(),
        Map.of(
            "postFilter",
            new PluginSet(List.of(), List.of("*")),
            "score",
            new PluginSet(
                List.of(new Plugin("NodeResourcesFit", 10)),
                List.of("NodeResourcesBalancedAllocation"))),
        args,
        Map.of());
  }
}
