package io.berth.server.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.ApiException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Who is slowed down when the processor is short, and who is not.
class ProcessorTest {

  private static final long TICK = Duration.ofMillis(4).toNanos();
  private static final long CALM = 0;
  private static final long LONG = Duration.ofMillis(50).toNanos();

  private final Processor processor = new Processor(2, false);
  private final Line light = processor.line(Owner.known("light"));
  private final Line heavy = processor.line(Owner.known("heavy"));

  @Test
  void nobodyWaitsWhileThereIsTime() {
    keepBusy(heavy, 20);

    ticks(100, CALM);

    assertThat(processor.slowed()).isEmpty();
    assertThat(heavy.begin()).isPositive();
  }

  @Test
  void theHeaviestIsSlowedDownAndOthersGoOn() throws Exception {
    keepBusy(heavy, 20);
    ticks(100, LONG);
    // What it had left of its time.
    keepBusy(heavy, 10);

    assertThat(processor.slowed()).containsOnlyKeys("heavy");
    assertThat(light.begin()).isPositive();
    var begun = new CountDownLatch(30);
    for (int i = 0; i < 30; i++) {
      Thread.startVirtualThread(() -> {
        heavy.goOn();
        heavy.end(System.nanoTime());
        begun.countDown();
      });
    }
    awaitWaiting(heavy, 30 + 30);
    assertThat(begun.getCount()).isEqualTo(30);

    for (int i = 0; i < 28; i++) {
      heavy.end(System.nanoTime());
    }
    ticks(2000, CALM);

    begun.await();
    ticks(1000, CALM);
    assertThat(processor.slowed()).isEmpty();
  }

  @Test
  void oneIsNeverSlowedBelowAPartOfAnEqualShare() {
    keepBusy(heavy, 20);

    ticks(10_000, LONG);

    assertThat(processor.slowed().get("heavy")).isBetween(0.7 * 2 / 8, 2.0 / 8);
  }

  @Test
  void whoIsAloneIsNotSlowedDown() {
    var alone = new Processor(2, false);
    keepBusy(alone.line(Owner.known("only")), 100);

    for (int i = 0; i < 100; i++) {
      alone.tick(TICK, LONG);
    }

    assertThat(alone.slowed()).isEmpty();
  }

  @Test
  void whoDoesOneThingAtATimeIsNotSlowedDown() {
    keepBusy(light, 1);

    ticks(1000, LONG);

    assertThat(processor.slowed()).isEmpty();
  }

  @Test
  void strangersAreSlowedDownFirst() {
    keepBusy(processor.line(Owner.stranger("10.0.0.1")), 2);
    keepBusy(heavy, 20);

    ticks(5, LONG);

    assertThat(processor.slowed()).containsOnlyKeys("strangers");
  }

  @Test
  void tooManyStrangersAreSentAway() {
    var strangers = processor.line(Owner.stranger("10.0.0.1"));
    keepBusy(strangers, 4);
    ticks(1, CALM);
    for (int i = 0; i < 200; i++) {
      Thread.startVirtualThread(strangers::begin);
    }
    awaitWaiting(strangers, 204);

    assertThatThrownBy(strangers::begin)
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("Too many requests");
  }

  @Test
  void aFewTurnsAreUnderWayAtOnceWhileThereAreOthers() {
    ticks(1, CALM);
    keepBusy(heavy, 32);
    Thread.startVirtualThread(heavy::begin);
    awaitWaiting(heavy, 33);

    heavy.end(System.nanoTime());

    awaitWaiting(heavy, 32);
  }

  private static void keepBusy(Line line, int turns) {
    for (int i = 0; i < turns; i++) {
      line.begin();
    }
  }

  private void ticks(int count, long wait) {
    for (int i = 0; i < count; i++) {
      processor.tick(TICK, wait);
    }
  }

  /// Until as many work or wait.
  private static void awaitWaiting(Line line, int count) {
    while (line.present() != count) {
      Thread.onSpinWait();
    }
  }
}
