package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ErrandTest {

  @Test
  void isDoneAfterTheLastCallAndNeverTwiceAtOnce() throws InterruptedException {
    int callers = 8;
    int calls = 2_000;
    var called = new AtomicInteger();
    var atOnce = new AtomicInteger();
    var clashes = new AtomicInteger();
    var allSeen = new CountDownLatch(1);
    var errand =
        new Errand(
            Crew.THREADS,
            "it",
            () -> {
              clashes.addAndGet(atOnce.incrementAndGet() - 1);
              if (called.get() == callers * calls) {
                allSeen.countDown();
              }
              atOnce.decrementAndGet();
            });
    for (int i = 0; i < callers; i++) {
      Crew.THREADS.start(
          "caller",
          () -> {
            for (int j = 0; j < calls; j++) {
              called.incrementAndGet();
              errand.call();
            }
          });
    }
    allSeen.await();

    assertThat(clashes).hasValue(0);
  }

  @Test
  void isCalledAgainAfterItHasFailed() {
    var runs = new AtomicInteger();
    var errand =
        new Errand(
            new OneTask(),
            "it",
            () -> {
              if (runs.incrementAndGet() == 1) {
                throw new IllegalStateException("the first time");
              }
            });
    try {
      errand.call();
    } catch (IllegalStateException e) {
      // As a thread would end.
    }
    errand.call();

    assertThat(runs).hasValue(2);
  }

  /// Does everything at once, on the thread of the caller.
  private static final class OneTask implements Crew {

    @Override
    public void start(String name, Runnable task) {
      task.run();
    }

    @Override
    public void fork(Runnable task) {
      task.run();
    }

    @Override
    public Shift after(Duration delay, String name, Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Shift every(Duration pause, String name, Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void await(CountDownLatch latch) {}

    @Override
    public long nanos() {
      return 0;
    }
  }
}
