package io.berth.controllers.runtime;

import io.berth.api.Crew;
import io.berth.cluster.Cluster;
import java.time.Instant;
import java.time.InstantSource;

/// What a controller is given: the cluster, caches of it, time, and a place for events.
public record Environment(
    Cluster cluster, Informers informers, Timers timers, InstantSource clock, Events events) {

  public Instant now() {
    return clock.instant();
  }

  public Crew crew() {
    return cluster.crew();
  }

  public String timestamp() {
    return Meta.time(clock.instant());
  }
}
