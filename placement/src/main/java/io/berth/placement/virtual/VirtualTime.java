package io.berth.placement.virtual;

import io.berth.api.Chance;
import io.berth.api.Crew;
import io.berth.controllers.runtime.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The time of a cluster that nobody waits for, and its crew of one.
///
/// What is started runs on the thread of whoever moves time, one task after another in the order of
/// their start. Time stands still while a task is left, then jumps to the next timer. Nothing here
/// follows from the machine: the same calls lead to the same states, whenever and wherever.
///
/// Used by one thread at a time.
public final class VirtualTime implements Crew, InstantSource {

  /// Far more than the largest step needs; beyond, tasks only make each other anew.
  private static final int MOST_TASKS_AT_ONCE = 20_000_000;

  private final Instant start;
  private final RandomGenerator random;
  private final Timers timers = new Timers(this::nanos, this);
  private final Queue<Task> ready = new ArrayDeque<>();
  private final List<Chore> chores = new ArrayList<>();
  private long nanos;

  /// `seed` decides what is random.
  public VirtualTime(Instant start, long seed) {
    this.start = start;
    this.random = new SplittableRandom(seed);
  }

  /// Does `work` as part of the cluster: what is random in it repeats.
  <T> T within(Supplier<T> work) {
    return Chance.by(random, work);
  }

  private void run(Runnable work) {
    Chance.by(
        random,
        () -> {
          work.run();
          return true;
        });
  }

  /// Lets time pass until nothing but routine is ahead.
  ///
  /// Throws [UnrestException] when that is not so after `most`.
  public void rest(Duration most) {
    long end = nanos + most.toNanos();
    run(() -> {
      runDue();
      while (!timers.isIdle()) {
        if (timers.nextDue() > end) {
          throw new UnrestException(most.toString(), timers.work());
        }
        moveTo(timers.nextDue());
        runDue();
      }
    });
  }

  /// Lets this much time pass.
  public void pass(Duration time) {
    long end = nanos + time.toNanos();
    run(() -> {
      runDue();
      while (timers.nextDue() <= end) {
        moveTo(timers.nextDue());
        runDue();
      }
      moveTo(end);
      runDue();
    });
  }

  /// Does what can be done now; time stands still.
  public void run() {
    run(this::runDue);
  }

  Timers timers() {
    return timers;
  }

  private void runDue() {
    do {
      runReady();
    } while (timers.runDue());
  }

  private void runReady() {
    int count = 0;
    for (var task = ready.poll(); task != null; task = ready.poll()) {
      if (++count > MOST_TASKS_AT_ONCE) {
        throw new UnrestException("no time at all", List.of(task.name));
      }
      task.work.run();
    }
  }

  private void moveTo(long later) {
    nanos = Math.max(nanos, later);
    for (var chore : chores) {
      if (nanos - chore.done >= chore.pauseNanos) {
        chore.done = nanos;
        start(chore.name, chore.work);
      }
    }
  }

  @Override
  public void start(String name, Runnable task) {
    ready.add(new Task(name, task));
  }

  @Override
  public void fork(Runnable task) {
    task.run();
  }

  @Override
  public Shift after(Duration delay, String name, Runnable task) {
    return timers.after(delay, new Task(name, task))::cancel;
  }

  /// Housekeeping is done when time has moved anyway: it moves none itself.
  @Override
  public Shift every(Duration pause, String name, Runnable task) {
    var chore = new Chore(pause.toNanos(), name, task, nanos);
    chores.add(chore);
    return () -> chores.remove(chore);
  }

  @Override
  public void await(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      var task = ready.poll();
      if (task == null) {
        throw new IllegalStateException("what is waited for never comes: nothing is left to do");
      }
      task.work.run();
    }
  }

  @Override
  public boolean isAlone() {
    return true;
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public Instant instant() {
    return start.plusNanos(nanos);
  }

  private record Task(String name, Runnable work) implements Runnable {

    @Override
    public void run() {
      work.run();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final class Chore {
    private final long pauseNanos;
    private final String name;
    private final Runnable work;
    private long done;

    Chore(long pauseNanos, String name, Runnable work, long now) {
      this.pauseNanos = pauseNanos;
      this.name = name;
      this.work = work;
      this.done = now;
    }
  }
}
