package io.berth.scheduler;

import io.berth.api.SchedulerConfiguration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// How a scheduler works, and who listens to it. `seed` decides ties between equal nodes.
public record SchedulerOptions(
    SchedulerConfiguration configuration,
    long seed,
    List<Extender> extenders,
    SchedulerMetrics metrics,
    DecisionListener decisions,
    @Nullable Consumer<Comparison> shadow) {

  public SchedulerOptions {
    extenders = List.copyOf(extenders);
  }

  public static SchedulerOptions of(SchedulerConfiguration configuration, long seed) {
    return new SchedulerOptions(
        configuration, seed, List.of(), SchedulerMetrics.NONE, DecisionListener.NONE, null);
  }

  public SchedulerOptions withExtenders(List<Extender> all) {
    return new SchedulerOptions(configuration, seed, all, metrics, decisions, shadow);
  }

  public SchedulerOptions withMetrics(SchedulerMetrics listener) {
    return new SchedulerOptions(configuration, seed, extenders, listener, decisions, shadow);
  }

  public SchedulerOptions withDecisions(DecisionListener listener) {
    return new SchedulerOptions(configuration, seed, extenders, metrics, listener, shadow);
  }

  /// Decides nothing, but compares each bind of another scheduler with what would have been decided
  /// here. The listener is called on the loop's thread.
  public SchedulerOptions following(Consumer<Comparison> listener) {
    return new SchedulerOptions(configuration, seed, extenders, metrics, decisions, listener);
  }
}
