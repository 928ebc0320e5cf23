package io.berth.quota;

import io.berth.api.SchedulerConfiguration;
import io.berth.api.SchedulerProfile;
import io.berth.api.SchedulerProfile.Plugin;
import io.berth.api.SchedulerProfile.PluginConfig;
import io.berth.api.SchedulerProfile.PluginSet;
import io.berth.api.Tree;
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

  private static final List<Tree> GPUS_FIRST =
      List.of(
          Tree.of("name", "nvidia.com/gpu", "weight", 5),
          Tree.of("name", "cpu", "weight", 1),
          Tree.of("name", "memory", "weight", 1));

  /// One profile for each [NodePool.Strategy]. Nobody is preempted by the engine itself: that is
  /// what quotas are for.
  public static final SchedulerConfiguration CONFIGURATION =
      new SchedulerConfiguration(
          1,
          0,
          1,
          10,
          List.of(
              profile(NodePool.Strategy.BINPACK, "MostAllocated"),
              profile(NodePool.Strategy.SPREAD, "LeastAllocated")),
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

  private static SchedulerProfile profile(NodePool.Strategy name, String strategy) {
    var scoring = Tree.of("type", strategy, "resources", GPUS_FIRST);
    return new SchedulerProfile(
        name.name(),
        Map.of(
            "postFilter",
            new PluginSet(List.of(), List.of("*")),
            "score",
            new PluginSet(
                List.of(new Plugin("NodeResourcesFit", 10)),
                List.of("NodeResourcesBalancedAllocation"))),
        List.of(
            new PluginConfig("NodeResourcesFit", Tree.of("scoringStrategy", scoring)),
            new PluginConfig("PodTopologySpread", Tree.of("defaultingType", "List"))),
        Set.of());
  }
}
