package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.SchedulerProfile;
import io.berth.cluster.Cluster;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Scored;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
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

  /// How many nodes the journal names with their scores.
  private static final int BEST_NODES = 3;

  private static final int INTAKE_BURST = 4096;
  private static final long FLUSH_MILLIS = 1000;
  private static final long SWEEP_MILLIS = 30_000;

  private final LongSupplier millis;
  private final BooleanSupplier active;
  private final SchedulerMetrics metrics;
  private final Journal journal;
  private final Extenders extenders;
  private final Engine engine;
  private final Function<Pod, List<Scored>> best;
  private final SchedulingQueue queue;
  private final World world;
  private final Inbox inbox = new Inbox();
  private final Refusals refusals = new Refusals();
  private final Feed feed;
  private final Binder binder;
  private final ReportQueue reports;
  private final Outcomes outcomes;
  private final GroupCycle groupCycle;
  private final @Nullable Consumer<Comparison> shadow;
  private final Thread thread;
  private volatile boolean closed;
  private volatile SchedulerLoad load = SchedulerLoad.NONE;
  private boolean knowsCluster;
  private long nextFlush;
  private long nextSweep;

  public Scheduler(
      Cluster cluster, SchedulerConfiguration configuration, InstantSource clock, long seed) {
    this(cluster, SchedulerOptions.of(configuration, seed), clock);
  }

  public Scheduler(Cluster cluster, SchedulerOptions options, InstantSource clock) {
    var configuration = options.configuration();
    this.millis = options.millis();
    this.active = options.active();
    this.metrics = options.metrics();
    this.journal = options.journal();
    this.extenders = new Extenders(options.extenders());
    this.engine = new Engine(configuration, options.seed());
    this.best = pod -> engine.best(pod, BEST_NODES);
    var groups = new PodGroups();
    var nominations = new Nominations(engine, journal);
    Map<String, Map<String, String>> namespaceLabels = new HashMap<>();
    var storage = new Storage();
    var bindings = new ClaimBindings();
    var hints = new Hints(engine);
    this.queue =
        new SchedulingQueue(
            new Backoff(
                configuration.podInitialBackoffSeconds(), configuration.podMaxBackoffSeconds()),
            hints,
            groups,
            metrics);
    var names =
        configuration.profiles().stream()
            .map(SchedulerProfile::schedulerName)
            .collect(Collectors.toSet());
    this.world =
        new World(
            engine,
            queue,
            names,
            groups,
            nominations,
            storage,
            bindings,
            namespaceLabels,
            millis,
            journal);
    this.shadow = options.shadow();
    if (shadow != null) {
      var judge = new ShadowJudge(engine);
      world.onBoundElsewhere((pod, release) -> shadow.accept(judge.compare(pod, release)));
    }
    this.feed = new Feed(cluster, inbox, journal);
    var patience = configuration.profiles().getFirst().args().volumeBinding().bindTimeoutSeconds();
    var claims = new ClaimBinder(cluster, bindings, Duration.ofSeconds(patience));
    this.binder = new Binder(cluster, claims, extenders, BINDS_AT_ONCE);
    this.reports = new ReportQueue(binder::isBusy, metrics);
    var reporter = new Reporter(cluster, clock, reports, "berth-scheduler");
    this.outcomes =
        new Outcomes(
            millis,
            world,
            queue,
            nominations,
            groups,
            inbox,
            binder,
            reporter,
            new Preemptor(cluster, reporter, clock),
            metrics);
    this.groupCycle =
        new GroupCycle(engine, extenders, world, groups, queue, outcomes, reporter, journal);
    this.thread = Thread.ofPlatform().name("scheduler").daemon().unstarted(this::run);
  }

  /// Starts, and returns when the cluster is known and decisions are being made.
  public Scheduler start() throws InterruptedException {
    reports.start();
    thread.start();
    feed.start();
    inbox.add(_ -> knowsCluster = true);
    return this;
  }

  /// Returns when it knows what has been bound until now, by whomever. To be called before the
  /// first decision by who takes over from another scheduler: its watch may be behind.
  public void catchUp() throws InterruptedException {
    feed.catchUp();
    var taken = new CountDownLatch(1);
    inbox.add(_ -> taken.countDown());
    taken.await();
  }

  /// Decides no more, and returns when the binds under way have ended: whoever comes next, in this
  /// process or another, finds them in the API.
  @Override
  public void close() {
    closed = true;
    feed.close();
    thread.interrupt();
    try {
      thread.join();
      binder.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    reports.close();
  }

  /// Has the loop look at once whether it may decide now.
  public void wake() {
    inbox.add(_ -> {});
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
    if (steps.isEmpty() && !mayDecide()) {
      var step =
          inbox
              .steps()
              .poll(
                  queue.millisToNextFlush(millis.getAsLong(), FLUSH_MILLIS), TimeUnit.MILLISECONDS);
      if (step != null) {
        steps.add(step);
      }
    }
    if (!steps.isEmpty()) {
      refusals.clear();
    }
    for (var step : steps) {
      guarded(() -> step.accept(world));
    }
  }

  private void keepTime() {
    long now = millis.getAsLong();
    if (now >= nextFlush) {
      queue.flush(now);
      world.keepOrder();
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
        reports.waiting(),
        reports.shed());
  }

  private boolean mayDecide() {
    return isDeciding() && queue.hasReady() && binder.free() > 0;
  }

  // Whoever has read half of the pods takes a place for free that a pod in the other half has.
  private boolean isDeciding() {
    return knowsCluster && shadow == null && active.getAsBoolean();
  }

  private void decideSome() {
    if (!isDeciding()) {
      return;
    }
    for (int i = 0; i < BURST && binder.free() > 0; i++) {
      var next = queue.pop(millis.getAsLong());
      if (next == null) {
        return;
      }
      attempt(next);
    }
  }

  // A defect in one decision must not end all others, nor lose the pod.
  private void attempt(PendingPod pending) {
    try {
      decide(pending);
    } catch (RuntimeException | StackOverflowError e) {
      log.error("defect in the decision about {}", pending.key(), e);
      guarded(() -> outcomes.broke(pending, e.toString()));
    }
  }

  private void decide(PendingPod pending) {
    if (pending.pod().group() != null) {
      refusals.clear();
      groupCycle.run(pending, millis.getAsLong());
      return;
    }
    pending.attemptBegan(System.nanoTime());
    switch (decision(pending)) {
      case Decision.Placed placed -> outcomes.bind(pending, placed.node());
      case Decision.Unschedulable no -> outcomes.unschedulable(pending, no);
      case Decision.Failed failed -> outcomes.failed(pending, failed.error());
    }
  }

  private Decision decision(PendingPod pending) {
    var pod = pending.pod();
    if (extenders.isAnyInterestedIn(pod)) {
      refusals.clear();
      var extended = extenders.decide(pod, engine);
      measured(pending);
      journal.extended(pod, extended.decision(), extended.said());
      return extended.decision();
    }
    var known = refusals.find(pending);
    var decision = known == null ? freshDecision(pending) : known;
    measured(pending);
    journal.decided(pod, decision, best);
    return decision;
  }

  private void measured(PendingPod pending) {
    metrics.decided(
        pending.pod().spec().schedulerName(), System.nanoTime() - pending.attemptNanos());
  }

  private Decision freshDecision(PendingPod pending) {
    var decision = engine.decide(pending.pod());
    if (decision instanceof Decision.Unschedulable no) {
      refusals.remember(pending, no);
    } else {
      refusals.clear();
    }
    return decision;
  }

  // A defect in one step must not end all others.
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | StackOverflowError e) {
      log.error("defect in the scheduling loop", e);
    }
  }
}
