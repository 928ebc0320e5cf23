package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.SchedulerProfile;
import io.berth.cluster.Cluster;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Preemption;
import io.berth.scheduler.SchedulerMetrics.Result;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The loop: takes in what happened, decides about the next pods, and hands the outcome on.
///
/// One thread owns engine and queue; watches, binds and reports run beside it and reach it through
/// the [Inbox]. Restarting is safe at any moment: everything it knows comes from the API.
public final class Scheduler implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

  /// Binds in flight; enough to share commits of the API server, few enough not to flood it.
  private static final int BINDS_AT_ONCE = 128;

  /// Decisions between two looks at the inbox.
  private static final int BURST = 64;

  private static final int INTAKE_BURST = 4096;
  private static final long FLUSH_MILLIS = 1000;
  private static final long SWEEP_MILLIS = 30_000;

  private final InstantSource clock;
  private final SchedulerMetrics metrics;
  private final DecisionListener decisions;
  private final Extenders extenders;
  private final Engine engine;
  private final SchedulingQueue queue;
  private final World world;
  private final Inbox inbox = new Inbox();
  private final Feed feed;
  private final Binder binder;
  private final Reporter reporter;
  private final Preemptor preemptor;
  private final Thread thread;
  private volatile boolean closed;
  private volatile SchedulerLoad load = SchedulerLoad.NONE;
  private long nextFlush;
  private long nextSweep;

  public Scheduler(
      Cluster cluster, SchedulerConfiguration configuration, InstantSource clock, long seed) {
    this(cluster, SchedulerOptions.of(configuration, seed), clock);
  }

  public Scheduler(Cluster cluster, SchedulerOptions options, InstantSource clock) {
    var configuration = options.configuration();
    this.clock = clock;
    this.metrics = options.metrics();
    this.decisions = options.decisions();
    this.extenders = new Extenders(options.extenders());
    this.engine = new Engine(configuration, clock, options.seed());
    Map<String, Map<String, String>> namespaceLabels = new HashMap<>();
    var hints = new Hints(namespace -> namespaceLabels.getOrDefault(namespace, Map.of()));
    this.queue =
        new SchedulingQueue(
            new Backoff(
                configuration.podInitialBackoffSeconds(), configuration.podMaxBackoffSeconds()),
            hints,
            metrics);
    var names =
        configuration.profiles().stream()
            .map(SchedulerProfile::schedulerName)
            .collect(Collectors.toSet());
    this.world = new World(engine, queue, names, namespaceLabels, clock::millis);
    this.feed = new Feed(cluster, inbox);
    var patience = configuration.profiles().getFirst().args().volumeBinding().bindTimeoutSeconds();
    var claims = new ClaimBinder(cluster, clock, Duration.ofSeconds(patience));
    this.binder = new Binder(cluster, claims, extenders, BINDS_AT_ONCE);
    this.reporter =
        new Reporter(
            cluster, clock, () -> binder.free() < BINDS_AT_ONCE, "berth-scheduler", metrics);
    this.preemptor = new Preemptor(cluster, reporter, clock);
    this.thread = Thread.ofPlatform().name("scheduler").daemon().unstarted(this::run);
  }

  /// Starts, and returns when the cluster is known and decisions are being made.
  public Scheduler start() throws InterruptedException {
    reporter.start();
    thread.start();
    feed.start();
    return this;
  }

  @Override
  public void close() {
    closed = true;
    feed.close();
    reporter.close();
    thread.interrupt();
  }

  /// How many pods wait where, as of the loop's last turn.
  public SchedulerLoad load() {
    return load;
  }

  private void run() {
    var steps = new ArrayList<Consumer<World>>(INTAKE_BURST);
    try {
      while (!closed) {
        takeIn(steps);
        keepTime();
        decideSome();
        load = measureLoad();
      }
    } catch (InterruptedException e) {
      log.debug("stopped");
    }
  }

  private void takeIn(List<Consumer<World>> steps) throws InterruptedException {
    steps.clear();
    inbox.steps().drainTo(steps, INTAKE_BURST);
    if (steps.isEmpty() && !(queue.hasReady() && binder.free() > 0)) {
      var step =
          inbox
              .steps()
              .poll(queue.millisToNextFlush(clock.millis(), FLUSH_MILLIS), TimeUnit.MILLISECONDS);
      if (step != null) {
        steps.add(step);
      }
    }
    for (var step : steps) {
      guarded(() -> step.accept(world));
    }
  }

  private void keepTime() {
    long now = clock.millis();
    if (now >= nextFlush) {
      queue.flush(now);
      nextFlush = now / 1000 * 1000 + FLUSH_MILLIS;
    }
    if (now >= nextSweep) {
      int swept = queue.sweep(now);
      if (swept > 0) {
        log.warn("{} pods waited five minutes without a helpful event", swept);
      }
      nextSweep = now + SWEEP_MILLIS;
    }
  }

  private SchedulerLoad measureLoad() {
    return new SchedulerLoad(
        queue.activeCount(),
        queue.backoffCount(),
        queue.unschedulableCount(),
        queue.gatedCount(),
        BINDS_AT_ONCE - binder.free(),
        world.nodeCount(),
        world.podCount(),
        world.assumedCount(),
        queue.sweptPods(),
        reporter.shed());
  }

  private void decideSome() {
    for (int i = 0; i < BURST && binder.reserve(); i++) {
      var next = queue.pop(clock.millis());
      if (next == null) {
        binder.giveBack();
        return;
      }
      guarded(() -> decide(next));
    }
  }

  private void decide(PendingPod pending) {
    var pod = pending.pod();
    pending.attemptBegan(System.nanoTime());
    var decision =
        extenders.isAnyInterestedIn(pod) ? extenders.decide(pod, engine) : engine.decide(pod);
    metrics.decided(pod.spec().schedulerName(), System.nanoTime() - pending.attemptNanos());
    decisions.decided(pod, decision, engine);
    switch (decision) {
      case Decision.Placed placed -> bind(pending, placed.node());
      case Decision.Unschedulable no -> {
        binder.giveBack();
        unschedulable(pending, no);
      }
      case Decision.Failed failed -> {
        binder.giveBack();
        failed(pending, failed.error());
      }
    }
  }

  private void bind(PendingPod pending, String node) {
    var pod = pending.pod();
    engine.unnominate(pod.namespace(), pod.name());
    world.assume(pod, node);
    binder.bind(
        pod,
        node,
        new Binder.Outcome() {
          @Override
          public void bound() {
            attempted(Result.SCHEDULED, pending);
            metrics.bound(
                pod.spec().schedulerName(),
                pending.attempts(),
                (clock.millis() - pending.firstAttemptMillis()) * 1_000_000);
            reporter.scheduled(pod, node);
            inbox.add(_ -> queue.remove(pod.key()));
          }

          @Override
          public void refused(String error, boolean settled) {
            inbox.add(_ -> refusedBind(pending, error, settled));
          }
        });
  }

  private void refusedBind(PendingPod pending, String error, boolean settled) {
    world.forget(pending.pod());
    if (settled) {
      queue.remove(pending.pod().key());
    } else {
      failed(pending, "running Bind plugin \"DefaultBinder\": " + error);
    }
  }

  private void attempted(Result result, PendingPod pending) {
    var profile = pending.pod().spec().schedulerName();
    metrics.attempted(result, profile, System.nanoTime() - pending.attemptNanos());
  }

  private void failed(PendingPod pending, String error) {
    var pod = pending.pod();
    attempted(Result.ERROR, pending);
    engine.unnominate(pod.namespace(), pod.name());
    queue.failed(pending, clock.millis());
    reporter.pending(pod, "SchedulerError", error, "");
  }

  private void unschedulable(PendingPod pending, Decision.Unschedulable no) {
    var pod = pending.pod();
    var nomination = nomination(no.preemption());
    attempted(Result.UNSCHEDULABLE, pending);
    if (nomination != null && nomination.isEmpty()) {
      engine.unnominate(pod.namespace(), pod.name());
    }
    reporter.pending(pod, "Unschedulable", no.message(), nomination);
    queue.rejected(pending, no.rejectors(), clock.millis());
    if (nomination != null && !nomination.isEmpty()) {
      preempt(pending, nomination, no.preemption());
    }
  }

  /// The node to wait for; `""` when no node is promised any more, `null` when nothing changes.
  private static @Nullable String nomination(@Nullable Preemption preemption) {
    if (preemption == null) {
      return "";
    }
    if (preemption.keepsNomination()) {
      return null;
    }
    return preemption.node() == null ? "" : preemption.node();
  }

  private void preempt(PendingPod pending, String node, @Nullable Preemption preemption) {
    var pod = pending.pod();
    engine.nominate(pod, node);
    clearLowerNominations(pod, node);
    var victims = new ArrayList<Pod>();
    if (preemption != null && preemption.candidates().get(node) != null) {
      for (var key : preemption.candidates().get(node).victims()) {
        var victim = world.running(key);
        if (victim != null) {
          victims.add(victim);
        }
      }
    }
    metrics.preempting(victims.size());
    pending.preempting(true);
    preemptor.evict(
        pod,
        node,
        victims,
        all -> inbox.add(_ -> queue.preemptionEnded(pod.key(), !all, clock.millis())));
  }

  // A pod of lower priority that waits for this node would be disappointed: it looks again.
  private void clearLowerNominations(Pod preemptor, String node) {
    for (var other : queue.all()) {
      var pod = other.pod();
      if (pod.priority() < preemptor.priority() && pod.status().nominatedNodeName().equals(node)) {
        engine.unnominate(pod.namespace(), pod.name());
        reporter.clearNomination(pod);
      }
    }
  }

  // A defect in one decision must not end all others.
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      log.error("defect in the scheduling loop", e);
    }
  }
}
