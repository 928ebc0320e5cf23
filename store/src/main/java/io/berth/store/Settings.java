package io.berth.store;

import io.berth.api.Crew;
import java.time.InstantSource;
import java.util.List;

/// What a store is made with.
public record Settings(
    Codec codec,
    List<Index> indexes,
    List<Expiry> expiries,
    Retention retention,
    InstantSource clock,
    Crew crew) {

  public Settings {
    indexes = List.copyOf(indexes);
    expiries = List.copyOf(expiries);
  }

  /// What the embedded cluster uses.
  public static Settings of(Codec codec) {
    return new Settings(
        codec,
        List.of(Index.PODS_BY_NODE, Index.EVENTS_BY_OBJECT, Index.OBJECTS_BY_OWNER),
        List.of(Expiry.EVENTS),
        Retention.DEFAULT,
        InstantSource.system(),
        Crew.THREADS);
  }

  public Settings withExpiries(List<Expiry> newExpiries) {
    return new Settings(codec, indexes, newExpiries, retention, clock, crew);
  }

  public Settings withRetention(Retention newRetention) {
    return new Settings(codec, indexes, expiries, newRetention, clock, crew);
  }

  public Settings withClock(InstantSource newClock) {
    return new Settings(codec, indexes, expiries, retention, newClock, crew);
  }

  /// Whose hands watches and housekeeping are in.
  public Settings withCrew(Crew newCrew) {
    return new Settings(codec, indexes, expiries, retention, clock, newCrew);
  }
}
