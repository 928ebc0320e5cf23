package io.berth.scheduler;

import io.berth.api.Crew;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.SchedulerProfile;
import io.berth.cluster.Cluster;
import io.berth.engine.Engine;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// A scheduler, from its parts to its end; what it does all day is the [SchedulingLoop].
///
/// One thread, or in a crew of one an errand, owns engine and queue; watches, binds and reports run
/// beside it and reach it through the [Inbox]. Restarting is safe at any moment: everything it
/// knows comes from the API.
public final class Scheduler implements AutoCloseable {

  /// Binds in flight; enough to share commits of the API server, few enough not to flood it.
  private static final int BINDS_AT_ONCE = 128;

  private final Inbox inbox;
  private final World world;
  private final SchedulingQueue queue;
  private final Feed feed;
  private final Binder binder;
  private final ReportQueue reports;
  private final SchedulingLoop loop;
  private final Crew crew;
  private final LoopErrand errand;
  private final Thread thread;
  private volatile SchedulerLoad load = SchedulerLoad.NONE;

  public Scheduler(
      Cluster cluster, SchedulerConfiguration configuration, InstantSource clock, long seed) {
    this(cluster, SchedulerOptions.of(configuration, seed), clock);
  }

  public Scheduler(Cluster cluster, SchedulerOptions options, InstantSource clock) {
    this.crew = cluster.crew();
    this.inbox = new Inbox(crew);
    var configuration = options.configuration();
    var millis = options.millis();
    var metrics = options.metrics();
    var journal = options.journal();
    var extenders = new Extenders(options.extenders());
    var engine = new Engine(configuration, options.seed(), options.rules());
    var groups = new PodGroups();
    var nominations = new Nominations(engine, journal);
    var bindings = new ClaimBindings(crew);
    this.queue = queue(configuration, engine, groups, metrics);
    this.world = world(options, engine, queue, groups, nominations, bindings);
    this.feed = new Feed(cluster, inbox, journal);
    this.binder = binder(cluster, engine, bindings, extenders);
    this.reports = new ReportQueue(crew, binder::isBusy, metrics);
    var reporter = new Reporter(cluster, clock, reports, "berth-scheduler");
    var preemptor = new Preemptor(cluster, reporter, clock);
    var outcomes =
        new Outcomes(
            millis, world, queue, nominations, groups, inbox, binder, reporter, preemptor, metrics);
    this.loop =
        new SchedulingLoop(
            inbox,
            world,
            queue,
            new PodCycle(engine, extenders, outcomes, metrics, journal),
            new GroupCycle(engine, extenders, world, groups, queue, outcomes, reporter, journal),
            outcomes,
            binder,
            millis,
            () -> options.shadow() == null && options.active().getAsBoolean(),
            () -> load = measureLoad());
    this.errand = new LoopErrand(crew, loop);
    this.thread = Thread.ofPlatform().name("scheduler").daemon().unstarted(loop);
  }

  private static SchedulingQueue queue(
      SchedulerConfiguration configuration,
      Engine engine,
      PodGroups groups,
      SchedulerMetrics metrics) {
    return new SchedulingQueue(
        new Backoff(configuration.podInitialBackoffSeconds(), configuration.podMaxBackoffSeconds()),
        new Hints(engine),
        groups,
        metrics);
  }

  private static World world(
      SchedulerOptions options,
      Engine engine,
      SchedulingQueue queue,
      PodGroups groups,
      Nominations nominations,
      ClaimBindings bindings) {
    var names =
        options.configuration().profiles().stream()
            .map(SchedulerProfile::schedulerName)
            .collect(Collectors.toSet());
    var assumptions = new Assumptions(engine, options.journal());
    var world =
        new World(
            engine, queue, names, groups, nominations, assumptions, bindings, options.millis());
    var shadow = options.shadow();
    if (shadow != null) {
      var judge = new ShadowJudge(engine);
      world.onBoundElsewhere((pod, release) -> shadow.accept(judge.compare(pod, release)));
    }
    return world;
  }

  private static Binder binder(
      Cluster cluster, Engine engine, ClaimBindings bindings, Extenders extenders) {
    var claims = new ClaimBinder(cluster, bindings, engine.patience());
    return new Binder(cluster, claims, extenders, BINDS_AT_ONCE);
  }

  /// Starts, and returns when the cluster is known and decisions are being made.
  public Scheduler start() throws InterruptedException {
    if (crew.isAlone()) {
      errand.start(inbox);
    } else {
      thread.start();
    }
    feed.start();
    loop.clusterIsKnown();
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
    loop.close();
    errand.close();
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

  /// Hands over what is known, on the loop's thread: the journal hears nothing in between. The loop
  /// waits for the listener; one that comes when the loop has ended is never called.
  public void describe(Consumer<Knowledge> listener) {
    inbox.add(world -> listener.accept(world.knowledge()));
  }

  /// How many pods wait where, as of the loop's last turn.
  public SchedulerLoad load() {
    return load;
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
}
