package io.berth.scheduler;

import io.berth.api.SchedulerConfiguration;
import java.util.List;

/// How a scheduler works, and who listens to it. `seed` decides ties between equal nodes.
public record SchedulerOptions(
    SchedulerConfiguration configuration,
    long seed,
    List<Extender> extenders,
    SchedulerMetrics metrics,
    DecisionListener decisions) {

  public SchedulerOptions {
    extenders = List.copyOf(extenders);
  }

  public static SchedulerOptions of(SchedulerConfiguration configuration, long seed) {
    return new SchedulerOptions(
        configuration, seed, List.of(), SchedulerMetrics.NONE, DecisionListener.NONE);
  }

  public SchedulerOptions withExtenders(List<Extender> all) {
    return new SchedulerOptions(configuration, seed, all, metrics, decisions);
  }

  public SchedulerOptions withMetrics(SchedulerMetrics listener) {
    return new SchedulerOptions(configuration, seed, extenders, listener, decisions);
  }

  public SchedulerOptions withDecisions(DecisionListener listener) {
    return new SchedulerOptions(configuration, seed, extenders, metrics, listener);
  }
}
