package io.berth.scheduler;

import io.berth.api.Crew;
import io.berth.api.Errand;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Runs the loop turn by turn in a crew of one, where no thread can wait for what comes in.
final class LoopErrand implements AutoCloseable {

  private static final Duration FLUSH = Duration.ofSeconds(1);

  private final Crew crew;
  private final SchedulingLoop loop;
  private final Errand errand;
  private Crew.@Nullable Shift flushes;
  private volatile boolean closed;

  LoopErrand(Crew crew, SchedulingLoop loop) {
    this.crew = crew;
    this.loop = loop;
    this.errand = new Errand(crew, "scheduler", this::turn);
  }

  void start(Inbox inbox) {
    inbox.onFilled(errand::call);
    flushes = crew.every(FLUSH, "scheduler", errand::call);
  }

  private void turn() {
    long next = closed ? SchedulingLoop.NEVER : loop.turn();
    if (next == 0) {
      errand.call();
    } else if (next != SchedulingLoop.NEVER) {
      crew.after(Duration.ofMillis(next), "scheduler", errand::call);
    }
  }

  @Override
  public void close() {
    closed = true;
    if (flushes != null) {
      flushes.close();
    }
  }
}
