package io.berth.store;

import java.time.InstantSource;
import java.util.List;

/// Commits for a store in memory: visible at once.
final class AtOnce implements Commits {

  private final Timeline timeline;
  private final InstantSource clock;

  AtOnce(Timeline timeline, InstantSource clock) {
    this.timeline = timeline;
    this.clock = clock;
  }

  @Override
  public Ticket add(List<Change> changes, State after) {
    timeline.publish(changes, after, clock.millis());
    return Ticket.DONE;
  }

  @Override
  public Ticket latest() {
    return Ticket.DONE;
  }

  @Override
  public void close() {}
}
