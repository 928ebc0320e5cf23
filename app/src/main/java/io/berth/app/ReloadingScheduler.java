package io.berth.app;

import io.berth.answers.live.Hearing;
import io.berth.cli.SchedulerSettings;
import io.berth.cli.UserError;
import io.berth.cluster.Cluster;
import io.berth.scheduler.Scheduler;
import io.berth.scheduler.SchedulerLoad;
import io.berth.scheduler.SchedulerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A scheduler that takes up changes of its configuration file while it runs.
///
/// A new configuration is read, checked and built into a scheduler before the old one is closed;
/// one that is wrong is reported and changes nothing. The new one reads the cluster when the binds
/// of the old one have ended.
final class ReloadingScheduler implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ReloadingScheduler.class);

  // A mounted ConfigMap changes by a switch of links, which file events miss: so it is read.
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final Function<SchedulerSettings, SchedulerOptions> options;
  private final InstantSource clock;
  private volatile SchedulerSettings settings;
  private byte[] content;
  private @Nullable Thread watcher;
  private volatile @Nullable Listened running;

  ReloadingScheduler(
      Cluster cluster,
      SchedulerSettings settings,
      Function<SchedulerSettings, SchedulerOptions> options,
      InstantSource clock) {
    this.cluster = cluster;
    this.settings = settings;
    this.options = options;
    this.clock = clock;
    this.content = read(settings.file());
  }

  /// Starts, and returns when the cluster is known and decisions are being made.
  ReloadingScheduler start() throws InterruptedException {
    settings.notes().forEach(log::warn);
    begin(build(settings));
    if (settings.file() != null) {
      watcher = Thread.ofVirtual().name("scheduler-configuration").start(this::watch);
    }
    return this;
  }

  /// A scheduler, and where answers hear what it does.
  record Listened(Scheduler scheduler, HearingJournal journal, SchedulerSettings settings) {}

  // The API server may be away in the very moment in which we start.
  private void begin(Listened first) throws InterruptedException {
    for (var next = first; ; next = build(settings)) {
      running = next;
      try {
        next.scheduler().start();
        return;
      } catch (UncheckedIOException e) {
        log.warn("cannot read the cluster: {}; trying again", e.getMessage());
        next.scheduler().close();
        Thread.sleep(AGAIN);
      }
    }
  }

  /// How pods are scheduled now.
  SchedulerSettings settings() {
    return settings;
  }

  /// Returns when it knows what another instance has bound until now.
  void catchUp() throws InterruptedException {
    var now = running;
    if (now != null) {
      now.scheduler().catchUp();
    }
  }

  /// Has it look at once whether it may decide now.
  void wake() {
    var now = running;
    if (now != null) {
      now.scheduler().wake();
    }
  }

  @Nullable Scheduler running() {
    var now = running;
    return now == null ? null : now.scheduler();
  }

  /// The scheduler at work; it must have been started.
  Listened listened() {
    return Objects.requireNonNull(running);
  }

  SchedulerLoad load() {
    var now = running;
    return now == null ? SchedulerLoad.NONE : now.scheduler().load();
  }

  private Listened build(SchedulerSettings with) {
    var journal = new HearingJournal(new Hearing());
    var scheduler = new Scheduler(cluster, options.apply(with).telling(journal), clock);
    return new Listened(scheduler, journal, with);
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(LOOK_AGAIN);
        reload();
      }
    } catch (InterruptedException e) {
      log.debug("configuration is watched no more");
    }
  }

  /// Looks at the file once; what is new in it is in force when this returns.
  void reload() throws InterruptedException {
    var now = read(settings.file());
    if (now.length == 0 || Arrays.equals(now, content)) {
      return;
    }
    content = now;
    try {
      var changed = settings.again();
      var next = build(changed);
      close(running);
      settings = changed;
      begin(next);
      changed.notes().forEach(log::warn);
      log.info("scheduling by {} as it is now", settings.file());
    } catch (UserError | IllegalArgumentException e) {
      log.error("the configuration stays as it was: {}", e.getMessage());
    }
  }

  private static byte[] read(@Nullable Path file) {
    try {
      return file == null ? new byte[0] : Files.readAllBytes(file);
    } catch (IOException e) {
      return new byte[0];
    }
  }

  private static void close(@Nullable Listened listened) {
    if (listened != null) {
      listened.scheduler().close();
    }
  }

  @Override
  public void close() {
    if (watcher != null) {
      watcher.interrupt();
    }
    close(running);
  }
}
