package io.berth.app;

import io.berth.answers.live.Hearing;
import io.berth.answers.live.LiveSource;
import io.berth.api.ObjectReference;
import io.berth.api.Tree;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.Cluster;
import io.berth.scheduler.SchedulerOptions;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Follows a cluster in which somebody else schedules, for answers about it: a scheduler that never
/// decides. It is started by the first question.
final class Spectator implements LiveSource, AutoCloseable {

  private static final long SEED = 1;

  private final Cluster cluster;
  private @Nullable ReloadingScheduler scheduler;

  Spectator(Cluster cluster) {
    this.cluster = cluster;
  }

  private synchronized SchedulerAnswers started() {
    var started = scheduler;
    if (started == null) {
      started =
          new ReloadingScheduler(
              cluster, SchedulerSettings.DEFAULT, Spectator::options, InstantSource.system());
      scheduler = started;
      start(started);
    }
    return new SchedulerAnswers(started, cluster, SEED);
  }

  private static void start(ReloadingScheduler scheduler) {
    try {
      scheduler.start();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the cluster was read", e);
    }
  }

  private static SchedulerOptions options(SchedulerSettings settings) {
    return SchedulerOptions.of(settings.configuration(), SEED).activeWhen(() -> false);
  }

  @Override
  public Scheduling now() {
    return started().now();
  }

  @Override
  public void begin(Hearing hearing) throws InterruptedException {
    started().begin(hearing);
  }

  @Override
  public long revision() {
    return started().revision();
  }

  @Override
  public Optional<Tree> find(ObjectReference reference) {
    return started().find(reference);
  }

  @Override
  public List<Tree> all(String kind) {
    return started().all(kind);
  }

  @Override
  public List<String> kinds() {
    return started().kinds();
  }

  @Override
  public synchronized void close() {
    if (scheduler != null) {
      scheduler.close();
    }
  }
}
