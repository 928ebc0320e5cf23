package io.berth.app;

import io.berth.answers.explain.Explanations;
import io.berth.answers.live.LiveCluster;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.cli.ClusterScheduler;
import io.berth.cli.ClusterScheduler.Mode;
import io.berth.cli.ClusterScheduler.Options;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.Cluster;
import io.berth.cluster.Election;
import io.berth.cluster.GuardedCluster;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.scheduler.SchedulerLoad;
import io.berth.scheduler.SchedulerOptions;
import io.berth.scheduler.extender.HttpExtender;
import io.berth.scheduler.metrics.PrometheusMetrics;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `berth scheduler` at work: waits for the lead, schedules, and gives the lead back at the end.
///
/// Without the lead nothing is written: every write asks the election first. A process that lost it
/// ends, as kube-scheduler does; whoever starts it again starts it clean.
final class SchedulerProcess implements ClusterScheduler.Running {

  private static final Logger log = LoggerFactory.getLogger(SchedulerProcess.class);

  /// Ties between equal nodes fall the same way in every run.
  private static final long SEED = 1;

  private static final Duration AGAIN = Duration.ofSeconds(1);

  /// What binds under way and the lease may take at the end.
  private static final Duration LAST_WORDS = Duration.ofSeconds(10);

  private final KubernetesCluster connection;
  private final Options options;
  private final InstantSource clock;
  private final CountDownLatch stop = new CountDownLatch(1);
  // Binds that wait for a slow server, or a connection on which nothing comes back, must not cost
  // the lead.
  private final @Nullable KubernetesCluster leases;
  private final @Nullable Election election;
  private final PrometheusMetrics metrics;
  private final Probes probes;
  private final Thread starter = Thread.ofVirtual().name("scheduler-start").unstarted(this::lead);
  private final ShadowReport shadow = new ShadowReport(System.out);
  private volatile @Nullable ReloadingScheduler scheduler;
  private volatile @Nullable LiveCluster live;
  private volatile boolean upToDate;
  private volatile int exitCode;

  SchedulerProcess(KubernetesCluster connection, Options options, InstantSource clock) {
    this.connection = connection;
    this.clock = clock;
    this.options = options;
    boolean elects =
        options.mode() == Mode.BIND
            && options.scheduler().configuration().leaderElection().leaderElect();
    var terms = options.scheduler().configuration().leaderElection();
    var patience = Duration.ofMillis(Math.max(1000, terms.renewDeadlineMillis() / 2));
    this.leases = elects ? connection.apart(patience) : null;
    this.election = leases == null ? null : election(leases);
    this.metrics =
        new PrometheusMetrics(
            this::load,
            () -> election == null ? scheduler != null : election.isLeading(),
            options.scheduler().configuration().leaderElection().resourceName());
    // As in kube-scheduler: an instance that waits for the lead is ready as soon as it knows the
    // cluster.
    this.probes =
        new Probes(
            () -> scheduler != null, metrics::text, new Reviewer(connection, clock), this::explain);
  }

  private Election election(Cluster cluster) {
    var terms = options.scheduler().configuration().leaderElection();
    return new Election(
        cluster,
        new Election.Terms(
            terms.resourceNamespace(),
            terms.resourceName(),
            Duration.ofMillis(terms.leaseDurationMillis()),
            Duration.ofMillis(terms.renewDeadlineMillis()),
            Duration.ofMillis(terms.retryPeriodMillis())),
        identity(),
        clock,
        System::nanoTime);
  }

  private static String identity() {
    try {
      return InetAddress.getLocalHost().getHostName() + "_" + UUID.randomUUID();
    } catch (UnknownHostException e) {
      return "berth_" + UUID.randomUUID();
    }
  }

  SchedulerProcess start() throws Exception {
    probes.listen(options.bindAddress(), options.securePort());
    starter.start();
    return this;
  }

  private void lead() {
    try {
      long begin = System.nanoTime();
      // Who waits for the lead follows the cluster, and can decide at once when it is his turn.
      var started = new ReloadingScheduler(guarded(), options.scheduler(), this::optionsFor, clock);
      started.start();
      live = new LiveCluster(new SchedulerAnswers(started, connection, SEED));
      scheduler = started;
      log.info("knows the cluster after {} ms", (System.nanoTime() - begin) / 1_000_000);
      if (election == null) {
        log.info("scheduling");
      } else {
        leadUntilLost(election, started);
      }
    } catch (InterruptedException e) {
      log.debug("interrupted while starting");
    } catch (RuntimeException e) {
      log.error("cannot schedule", e);
      end(1);
    }
  }

  // The lead may be lost in the moment in which it is won; either way this process is of no use
  // any more.
  private void leadUntilLost(Election lead, ReloadingScheduler started)
      throws InterruptedException {
    lead.start();
    if (lead.awaitLead()) {
      catchUp(lead, started);
      lead.awaitEnd();
    }
    end(1);
  }

  private void catchUp(Election lead, ReloadingScheduler started) throws InterruptedException {
    while (lead.isLeading() && !upToDate) {
      try {
        started.catchUp();
        upToDate = true;
        started.wake();
        log.info("scheduling");
      } catch (UncheckedIOException | ApiException e) {
        log.warn("cannot read what the leader before has bound: {}; trying again", e.getMessage());
        Thread.sleep(AGAIN);
      }
    }
  }

  private SchedulerOptions optionsFor(SchedulerSettings settings) {
    var common =
        SchedulerOptions.of(settings.configuration(), SEED)
            .withRules(settings.rules())
            .withExtenders(HttpExtender.all(settings.configuration(), connection))
            .withMetrics(metrics)
            .withJournal(FileJournal.of(settings.recordedIn(options.journal()), SEED))
            .activeWhen(() -> election == null || (upToDate && election.isLeading()));
    return options.mode() == Mode.SHADOW ? common.following(shadow) : common;
  }

  private Optional<Tree> explain(String namespace, String name) throws InterruptedException {
    var answers = live;
    return answers == null
        ? Optional.empty()
        : answers.ask(moment ->
            moment
                .survey()
                .findPod(namespace, name)
                .map(pod ->
                    new Explanations(moment.survey(), moment.engine())
                        .explain(pod, Explanations.Wish.SUGGESTIONS)
                        .toTree()));
  }

  private SchedulerLoad load() {
    var running = scheduler;
    return running == null ? SchedulerLoad.NONE : running.load();
  }

  private Cluster guarded() {
    return switch (options.mode()) {
      case BIND -> election == null ? connection : new GuardedCluster(connection, this::fence);
      case DRY_RUN, SHADOW -> new GuardedCluster(connection, new DryRun(System.out));
    };
  }

  private @Nullable Tree fence(GuardedCluster.Write write) {
    if (election != null && !election.isLeading()) {
      throw new ApiException(503, "ServiceUnavailable", "this instance does not lead any more");
    }
    return null;
  }

  private void end(int code) {
    if (stop.getCount() > 0) {
      exitCode = code;
      stop.countDown();
    }
  }

  @Override
  public int awaitStop() throws InterruptedException {
    Interruption.stopsBy(() -> end(0));
    stop.await();
    return exitCode;
  }

  private static void joinQuietly(Thread thread) {
    try {
      thread.join(LAST_WORDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    starter.interrupt();
    joinQuietly(starter);
    var running = scheduler;
    if (running != null) {
      running.close();
    }
    if (election != null) {
      election.close();
    }
    if (leases != null) {
      leases.close();
    }
    probes.close();
    connection.close();
    if (options.mode() == Mode.SHADOW) {
      shadow.summarize();
    }
  }
}
