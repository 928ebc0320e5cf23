package io.berth.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The loop: takes in what happened, keeps time, and decides about the next pods. Its thread owns
/// engine and queue; everything else reaches it through the [Inbox].
final class SchedulingLoop implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(SchedulingLoop.class);

  /// Decisions between two looks at the inbox.
  private static final int BURST = 64;

  /// Nothing is to be done by itself.
  static final long NEVER = -1;

  private static final int INTAKE_BURST = 4096;
  private static final long FLUSH_MILLIS = 1000;
  private static final long SWEEP_MILLIS = 30_000;

  private final Inbox inbox;
  private final World world;
  private final SchedulingQueue queue;
  private final PodCycle podCycle;
  private final GroupCycle groupCycle;
  private final Outcomes outcomes;
  private final Binder binder;
  private final LongSupplier millis;
  private final BooleanSupplier active;
  private final Runnable afterEachTurn;
  private volatile boolean closed;
  private boolean knowsCluster;
  private long nextFlush;
  private long nextSweep;

  /// Decides only while `active` says so.
  SchedulingLoop(
      Inbox inbox,
      World world,
      SchedulingQueue queue,
      PodCycle podCycle,
      GroupCycle groupCycle,
      Outcomes outcomes,
      Binder binder,
      LongSupplier millis,
      BooleanSupplier active,
      Runnable afterEachTurn) {
    this.inbox = inbox;
    this.world = world;
    this.queue = queue;
    this.podCycle = podCycle;
    this.groupCycle = groupCycle;
    this.outcomes = outcomes;
    this.binder = binder;
    this.millis = millis;
    this.active = active;
    this.afterEachTurn = afterEachTurn;
  }

  /// From what was handed in until now on, the cluster is known: whoever has read half of the pods
  /// takes a place for free that a pod in the other half has.
  void clusterIsKnown() {
    inbox.add(_ -> knowsCluster = true);
  }

  /// Decides no more.
  void close() {
    closed = true;
  }

  @Override
  public void run() {
    var steps = new ArrayList<Consumer<World>>(INTAKE_BURST);
    try {
      while (!closed) {
        takeIn(steps);
        keepTime();
        decideSome();
        afterEachTurn.run();
      }
    } catch (InterruptedException e) {
      log.debug("stopped");
    }
  }

  /// One turn without waiting, for who has no thread to wait on: in how many milliseconds the next
  /// one has something to do, 0 for at once, or [#NEVER] unless something comes in.
  long turn() {
    var steps = new ArrayList<Consumer<World>>();
    inbox.steps().drainTo(steps, INTAKE_BURST);
    takeInAll(steps);
    keepTime();
    decideSome();
    afterEachTurn.run();
    if (!inbox.steps().isEmpty() || mayDecide()) {
      return 0;
    }
    return queue.hasPausedByError()
        ? queue.millisToNextFlush(millis.getAsLong(), Long.MAX_VALUE)
        : NEVER;
  }

  private void takeIn(List<Consumer<World>> steps) throws InterruptedException {
    steps.clear();
    inbox.steps().drainTo(steps, INTAKE_BURST);
    if (steps.isEmpty() && !mayDecide()) {
      long patience = queue.millisToNextFlush(millis.getAsLong(), FLUSH_MILLIS);
      var step = inbox.steps().poll(patience, TimeUnit.MILLISECONDS);
      if (step != null) {
        steps.add(step);
      }
    }
    takeInAll(steps);
  }

  private void takeInAll(List<Consumer<World>> steps) {
    if (!steps.isEmpty()) {
      podCycle.clusterChanged();
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

  private boolean mayDecide() {
    return isDeciding() && queue.hasReady() && binder.free() > 0;
  }

  private boolean isDeciding() {
    return knowsCluster && active.getAsBoolean();
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
    if (pending.pod().group() == null) {
      podCycle.run(pending);
    } else {
      podCycle.clusterChanged();
      groupCycle.run(pending, millis.getAsLong());
    }
  }

  // A defect in one step must not end all others.
  private static void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | StackOverflowError e) {
      log.error("defect in the scheduling loop", e);
    }
  }
}
