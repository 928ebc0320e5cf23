package io.berth.api;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/// Who does what goes on beside its caller, and by which time.
///
/// In a process that serves, these are threads. A cluster in virtual time has a crew of one: tasks
/// run one after another in the order of their start, and time passes when none is left. Code that
/// leaves its threads and its pauses to a crew therefore runs in both, unchanged.
public interface Crew {

  /// Every task on a virtual thread of its own, by the time of this machine.
  // Nobody but this line initialises that class.
  @SuppressWarnings("ClassInitializationDeadlock")
  Crew THREADS = new Threads();

  /// Has the task done soon, beside the caller.
  void start(String name, Runnable task);

  /// Has the task done by somebody whom the caller waits for next, beside it if there are others.
  void fork(Runnable task);

  /// Has the task done later, beside the caller, unless the shift is closed before.
  Shift after(Duration delay, String name, Runnable task);

  /// Has the task done with this pause in between until the shift is closed: for housekeeping, of
  /// which nothing is seen whenever it happens.
  Shift every(Duration pause, String name, Runnable task);

  /// Waits until others have counted the latch down.
  void await(CountDownLatch latch) throws InterruptedException;

  /// Whether it is one pair of hands: while somebody waits for others, these do not come.
  default boolean isAlone() {
    return false;
  }

  /// Now, on a clock that nobody sets.
  long nanos();

  /// Work that is to come, until closed.
  interface Shift extends AutoCloseable {

    @Override
    void close();
  }
}
