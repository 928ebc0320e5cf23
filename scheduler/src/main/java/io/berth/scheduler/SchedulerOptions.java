package io.berth.scheduler;

import io.berth.api.SchedulerConfiguration;
import io.berth.engine.rule.RuleCatalog;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// How a scheduler works, and who listens to it.
///
/// @param seed decides ties between equal nodes
/// @param millis the time by which pods pause and wait; it never jumps, whatever happens to the
///   clock on the wall
public record SchedulerOptions(
    SchedulerConfiguration configuration,
    long seed,
    RuleCatalog rules,
    List<Extender> extenders,
    SchedulerMetrics metrics,
    Journal journal,
    @Nullable Consumer<Comparison> shadow,
    LongSupplier millis,
    BooleanSupplier active) {

  public SchedulerOptions {
    extenders = List.copyOf(extenders);
  }

  public static SchedulerOptions of(SchedulerConfiguration configuration, long seed) {
    return new SchedulerOptions(
        configuration,
        seed,
        RuleCatalog.NONE,
        List.of(),
        SchedulerMetrics.NONE,
        Journal.NONE,
        null,
        steadyMillis(),
        () -> true);
  }

  private static LongSupplier steadyMillis() {
    long begin = System.nanoTime();
    return () -> 1 + (System.nanoTime() - begin) / 1_000_000;
  }

  /// With rules beside Kubernetes' own, for profiles that enable them.
  public SchedulerOptions withRules(RuleCatalog others) {
    return new SchedulerOptions(
        configuration, seed, others, extenders, metrics, journal, shadow, millis, active);
  }

  public SchedulerOptions withExtenders(List<Extender> all) {
    return new SchedulerOptions(
        configuration, seed, rules, all, metrics, journal, shadow, millis, active);
  }

  public SchedulerOptions withMetrics(SchedulerMetrics listener) {
    return new SchedulerOptions(
        configuration, seed, rules, extenders, listener, journal, shadow, millis, active);
  }

  public SchedulerOptions withJournal(Journal listener) {
    return new SchedulerOptions(
        configuration, seed, rules, extenders, metrics, listener, shadow, millis, active);
  }

  /// With one more listener.
  public SchedulerOptions telling(Journal listener) {
    return withJournal(journal.and(listener));
  }

  public SchedulerOptions withMillis(LongSupplier pace) {
    return new SchedulerOptions(
        configuration, seed, rules, extenders, metrics, journal, shadow, pace, active);
  }

  /// Waits with journal until `condition` holds; see [Scheduler#wake()].
  public SchedulerOptions activeWhen(BooleanSupplier condition) {
    return new SchedulerOptions(
        configuration, seed, rules, extenders, metrics, journal, shadow, millis, condition);
  }

  /// Decides nothing, but compares each bind of another scheduler with what would have been decided
  /// here. The listener is called on the loop's thread.
  public SchedulerOptions following(Consumer<Comparison> listener) {
    return new SchedulerOptions(
        configuration, seed, rules, extenders, metrics, journal, listener, millis, active);
  }
}
